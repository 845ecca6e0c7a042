// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Which mistakes are tried.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/rtl/mutants/mutation.h"

namespace fabrictwin::mutants {

/// `count` of the mistakes in their order, or all if they are fewer: a function of the seed and the source's name.
std::vector<Mutation> sample(std::vector<Mutation> mutations, size_t count, uint64_t seed, std::string_view name);

/// A line of a list of mistakes: file, text that stands there once, text in its place, tests that must notice.
struct Row {
  std::string file, from, to, tests;
};

/// The rows of a list; comments are left out.
std::vector<Row> rows_of(const std::string& list);

}  // namespace fabrictwin::mutants

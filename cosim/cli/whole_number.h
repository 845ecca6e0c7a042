// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole numbers as options of the command line.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <string>

#include "cosim/base/text.h"

namespace fabrictwin {

/// For CLI::Option::check(): empty if `text` is a whole number that fits, else why not. CLI11's own conversion gives no
/// reason, and takes "-1" for the largest number of 64 bits.
template <typename Number>
std::string check_whole_number(const std::string& text) {
  Number number = 0;
  if (parse_number(text, number)) return {};
  return fmt::format("\"{}\" is not a whole number from 0 to {}", text, std::numeric_limits<Number>::max());
}

}  // namespace fabrictwin

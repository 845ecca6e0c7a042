// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the ranks of victims measure, and what the tool makes of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cosim/base/time.h"
#include "fabrictwin/v1/congestion_report.pb.h"
#include "workloads/gpcnet/spec.h"

namespace fabrictwin::gpcnet {

/// The tests of victims, in the order of the tool.
enum class Test : uint8_t { kLatency, kBandwidth, kAllreduce };
inline constexpr size_t kTests = 3;

/// How long each measured iteration took: by test, then by rank, in order. Each rank writes its own only.
using Samples = std::array<std::vector<std::vector<Time>>, kTests>;

/// How many orders of the ring a test has.
int32_t orders_of(const GpcnetSpec& spec, Test test);

/// The rows of the tool's tables. `isolated` of the spec says which of their columns have numbers. A test that not all
/// ranks have ended has no row.
std::vector<v1::GpcnetRow> rows_of(const GpcnetSpec& spec, const Samples& samples);

/// Fills in what is missing in `rows`: the columns of the isolated run and the congestion impact factors.
void compare_rows(const std::vector<v1::GpcnetRow>& isolated, std::vector<v1::GpcnetRow>& rows);

}  // namespace fabrictwin::gpcnet

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a trace holds, in numbers.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "fabrictwin/v1/trace.pb.h"

namespace fabrictwin {

/// Reads a whole trace file, one block at a time, and sums it up. Errors are those of TraceReader. Thread-safe.
absl::StatusOr<v1::TraceStats> trace_stats(const std::string& file);

}  // namespace fabrictwin

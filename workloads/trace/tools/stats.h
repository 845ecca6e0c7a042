// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Statistics of a trace.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "fabrictwin/v1/trace.pb.h"

namespace fabrictwin::trace::tools {

/// Reads a whole trace file, one block at a time, and summarizes it. Errors are those of format::Reader. Thread-safe.
absl::StatusOr<v1::TraceStats> trace_stats(const std::string& file);

}  // namespace fabrictwin::trace::tools

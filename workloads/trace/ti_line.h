// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One line of a SimGrid time-independent trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// What is wrong with a line, and where.
struct TiError {
  int32_t column = 1;  ///< From 1.
  std::string message;
  bool unsupported = false;  ///< The line is sound, but it is a call that has no form in a trace file.
};

/// Reads `line` ("3 irecv 1 99 256 0", no line end), which must be of rank `rank` of `ranks`, into `event`. Nothing if
/// all is well. `event` is then well formed (see check_event()). Pure function.
std::optional<TiError> parse_ti_line(std::string_view line, uint32_t rank, uint32_t ranks, TraceEvent& event);

}  // namespace fabrictwin

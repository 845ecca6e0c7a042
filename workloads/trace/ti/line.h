// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One line of a SimGrid time-independent trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "workloads/trace/format/event.h"
#include "workloads/trace/ti/error.h"

namespace fabrictwin::trace::ti {

/// The peer of a send, or of a wait for one, to MPI_PROC_NULL. SMPI has the same number for MPI_ANY_SOURCE.
inline constexpr int32_t kTiProcNull = -333;

/// Parses `line` ("3 irecv 1 99 256 0", no line end), which must be of rank `rank` of `ranks`, into `event`. Returns
/// nothing on success. `event` is then well formed (see check_event()), except that a WAIT_RECV may have kAnyTag, sends
/// and waits for them may be to kTiProcNull, and an IRECV from there, which may be any source. Pure function.
std::optional<Error> parse_ti_line(std::string_view line, uint32_t rank, uint32_t ranks, format::Event& event);

}  // namespace fabrictwin::trace::ti

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The MPI calls of the OSU benchmarks.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/base/quantity.h"
#include "workloads/osu/spec.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::osu {

/// One iteration of a benchmark on one rank.
struct Iteration {
  std::vector<trace::format::Event> timed;  ///< Calls between two readings of the clock.
  std::vector<trace::format::Event> after;  ///< Calls that keep the next iteration from beginning too early.
};

/// The calls of rank `rank` of `ranks` for messages of `size` in one iteration of a benchmark that check_osu() accepts
/// and that makes MPI calls.
Iteration osu_iteration(const OsuSpec& spec, Bytes size, int32_t rank, int32_t ranks);

/// An MPI call without arguments.
trace::format::Event osu_call(v1::TraceAction action);

}  // namespace fabrictwin::osu

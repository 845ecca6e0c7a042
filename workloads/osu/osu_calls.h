// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The MPI calls of the OSU benchmarks.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/base/quantity.h"
#include "cosim/run/job_spec.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// One iteration of a benchmark on one rank.
struct OsuIteration {
  std::vector<TraceEvent> timed;  ///< Between two looks at the clock.
  std::vector<TraceEvent> after;  ///< Keeps the next iteration from beginning too early.
};

/// What rank `rank` of `ranks` does for messages of `size` in one iteration of a benchmark that check_osu() accepts and
/// that is made of MPI calls.
OsuIteration osu_iteration(const OsuSpec& spec, Bytes size, int32_t rank, int32_t ranks);

/// An MPI call without arguments.
TraceEvent osu_call(v1::TraceAction action);

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A part of a trace.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "workloads/trace/trace_source.h"

namespace fabrictwin {

struct CutOptions {
  /// Ranks to keep, ascending; they are numbered anew from 0. Empty: all.
  std::vector<uint32_t> ranks;
  /// What lies between collectives of the world: from the one of this number (from 0), included, ...
  uint64_t first_collective = 0;
  /// ... to this one, not included; the default is the end of the trace.
  uint64_t end_collective = std::numeric_limits<uint64_t>::max();
};

/// The part of `source`, cut as it is read. Messages to and from ranks that are not kept are left out with their waits;
/// a collective is one of the ranks that are kept, with the first member that is kept in place of a root that is not.
/// What comes before the first and after the last collective is left out but for init and finalize, unless the part
/// begins or ends with the trace. InvalidArgument if ranks or collectives do not exist, or if messages are under way at
/// the places where it is cut, with the calls; Unimplemented if ranks are left out and a receive is from any source.
absl::StatusOr<std::shared_ptr<const TraceSource>> cut_trace(std::shared_ptr<const TraceSource> source,
                                                             const CutOptions& options);

}  // namespace fabrictwin

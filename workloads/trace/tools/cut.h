// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Cuts a part out of a trace.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "workloads/trace/format/source.h"

namespace fabrictwin::trace::tools {

struct CutOptions {
  /// Ranks to keep, ascending; they are renumbered from 0. Empty: all.
  std::vector<uint32_t> ranks;
  /// The part begins with the collective of the world with this number (from 0), included.
  uint64_t first_collective = 0;
  /// The part ends before the collective with this number; the default is the end of the trace.
  uint64_t end_collective = std::numeric_limits<uint64_t>::max();
};

/// The part of `source`, cut while it is read. Messages to and from ranks that are not kept are dropped with their
/// waits; a collective becomes one of the kept ranks, and a root that is not kept is replaced by the first kept member.
/// Events outside of the collectives' range are dropped except for init and finalize, unless the part begins or ends
/// with the trace. InvalidArgument if ranks or collectives do not exist, or if messages are in flight at the points
/// where it is cut, with the calls; Unimplemented if ranks are dropped and a receive is from any source.
absl::StatusOr<std::shared_ptr<const format::Source>> cut_trace(std::shared_ptr<const format::Source> source,
                                                                const CutOptions& options);

}  // namespace fabrictwin::trace::tools

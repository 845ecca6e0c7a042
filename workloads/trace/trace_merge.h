// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Several traces side by side.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "workloads/trace/trace_source.h"

namespace fabrictwin {

/// One trace with the ranks of all of `sources`, one source after the other: rank r of source i has the number of all
/// ranks before it plus r. Collectives of a source's world become those of a communicator of its ranks, which has the
/// highest number that the source does not use: InvalidArgument with rank and event when it uses all. Reads each source
/// once for that, with its errors. InvalidArgument if there are no sources or too many ranks in all.
absl::StatusOr<std::shared_ptr<const TraceSource>> merge_traces(
    std::vector<std::shared_ptr<const TraceSource>> sources);

}  // namespace fabrictwin

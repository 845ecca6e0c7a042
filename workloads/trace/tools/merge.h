// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Merges several traces into one.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "workloads/trace/format/source.h"

namespace fabrictwin::trace::tools {

/// One trace with the ranks of all `sources`, one source after the other: rank r of source i is numbered after all
/// ranks of the sources before it. Collectives of a source's world become those of a communicator of its ranks, with
/// the highest number that the source does not use: InvalidArgument with rank and event if it uses all. To find that
/// number, each source is read once, with its errors. InvalidArgument if there are no sources or too many ranks in all.
absl::StatusOr<std::shared_ptr<const format::Source>> merge_traces(
    std::vector<std::shared_ptr<const format::Source>> sources);

}  // namespace fabrictwin::trace::tools

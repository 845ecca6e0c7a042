// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Derives the events of an experiment's skeleton.
#pragma once

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "cosim/experiment/job_spec.h"
#include "workloads/trace/format/source.h"

namespace fabrictwin::job {

/// The events of a skeleton whose ranks compute at the speed of the host profile `host` (empty: in no time).
/// InvalidArgument if the application cannot run with these options.
absl::StatusOr<std::shared_ptr<const trace::format::Source>> make_skeleton(const experiment::SkeletonSpec& spec,
                                                                           std::string_view host);

}  // namespace fabrictwin::job

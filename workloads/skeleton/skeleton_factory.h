// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// From an experiment's skeleton to its events.
#pragma once

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "cosim/run/job_spec.h"
#include "workloads/trace/trace_source.h"

namespace fabrictwin {

/// The events of a skeleton whose ranks compute as the host profile `host` says (empty: in no time). InvalidArgument if
/// the application cannot be run like that.
absl::StatusOr<std::shared_ptr<const TraceSource>> make_skeleton(const SkeletonSpec& spec, std::string_view host);

}  // namespace fabrictwin

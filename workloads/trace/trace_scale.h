// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A trace with longer or shorter computations and messages.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "workloads/trace/trace_source.h"

namespace fabrictwin {

struct ScaleOptions {
  double compute = 1;  ///< Factor on durations, those of reductions included.
  double sizes = 1;    ///< Factor on the counts of messages and collectives, rounded to whole elements.
};

/// The trace `source`, scaled as it is read. InvalidArgument if a factor is not a number from 0 to 1e9. What becomes
/// too large is an InvalidArgument with rank and event when it is read.
absl::StatusOr<std::shared_ptr<const TraceSource>> scale_trace(std::shared_ptr<const TraceSource> source,
                                                               const ScaleOptions& options);

}  // namespace fabrictwin

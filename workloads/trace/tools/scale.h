// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Scales the computations and messages of a trace.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "workloads/trace/format/source.h"

namespace fabrictwin::trace::tools {

struct ScaleOptions {
  double compute = 1;  ///< Factor on durations, including those of reductions.
  double sizes = 1;    ///< Factor on the counts of messages and collectives, rounded to whole elements.
};

/// The trace `source`, scaled while it is read. InvalidArgument if a factor is not a number from 0 to 1e9. A value that
/// becomes too large is an InvalidArgument with rank and event when it is read.
absl::StatusOr<std::shared_ptr<const format::Source>> scale_trace(std::shared_ptr<const format::Source> source,
                                                                  const ScaleOptions& options);

}  // namespace fabrictwin::trace::tools

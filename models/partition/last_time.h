// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "absl/status/status.h"
#include "cosim/base/time.h"
#include "fmt/format.h"

namespace fabrictwin::partition {

/// The error of a run whose workload has not ended at `last`.
inline absl::Status time_ends(Time last) {
  return absl::OutOfRangeError(
      fmt::format("at {}: simulated time ends, and the workload has not; write higher rates or stop {{ "
                  "after_simulated }}",
                  to_string(last)));
}

}  // namespace fabrictwin::partition

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/statistics/occupancy_parts.h"

#include <vector>

#include "cosim/base/time.h"
#include "cosim/observe/occupancy_series.h"

namespace fabrictwin::partition::statistics {

absl::Status report_occupancy(const google::protobuf::RepeatedPtrField<v1::WorkloadPart>& parts, v1::Report& report) {
  std::vector<const v1::OccupancyPart*> own;
  for (const v1::WorkloadPart& part : parts) {
    if (part.has_occupancy()) own.push_back(&part.occupancy());
  }
  if (own.empty()) return absl::OkStatus();
  return observe::OccupancySeries::report_parts(own, Time::from_fs(report.simulated_fs()), *report.mutable_occupancy());
}

}  // namespace fabrictwin::partition::statistics

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The traffic of an experiment: from the message to checked values.
#pragma once

#include <cstdint>
#include <string>

#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/experiment.h"

namespace fabrictwin::experiment {

/// Reads workload.traffic; the router must have been checked before. Whether a pattern is possible on the network's
/// hosts is checked when the workload is built; pattern_location() is the source location of that mistake.
TrafficSpec check_traffic(const Experiment& experiment, FieldChecker& fields);

/// How many hosts there must be because of the numbers in a pattern, and which field has the largest ("hotspot_hosts").
struct HostDemand {
  int64_t hosts = 0;
  std::string field;  ///< Empty if there are no numbers.
  int index = -1;     ///< The index in the field, if it is a list.
};
HostDemand host_demand(const TrafficSpec& spec);

/// The source location for a pattern that needs other hosts than the network has: the field of host_demand(), or else
/// the pattern itself.
SourceLocation pattern_location(const TrafficSpec& spec, const LocationMap& locations);

}  // namespace fabrictwin::experiment

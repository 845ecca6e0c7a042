// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The traffic of an experiment: from the message to checked values.
#pragma once

#include <cstdint>
#include <string>

#include "cosim/run/experiment.h"
#include "cosim/run/field_checker.h"

namespace fabrictwin {

/// Reads workload.traffic; the router must have been checked. Whether a pattern exists on the network's hosts shows
/// when the workload is made: the mistake is at pattern_place().
TrafficSpec check_traffic(const Experiment& experiment, FieldChecker& fields);

/// How many hosts there must be because of the numbers in a pattern, and which field has the largest ("hotspot_hosts").
struct HostDemand {
  int64_t hosts = 0;
  std::string field;  ///< Empty if there are no numbers.
  int index = -1;     ///< In the field, if it is a list.
};
HostDemand host_demand(const TrafficSpec& spec);

/// Where a pattern is wrong if the network's hosts are not those that it needs: at the field of host_demand(), or else
/// at the pattern itself.
SourcePlace pattern_place(const TrafficSpec& spec, const PlaceMap& places);

}  // namespace fabrictwin

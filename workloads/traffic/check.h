// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The traffic of an experiment: from the message to checked values.
#pragma once

#include <cstdint>
#include <string>

#include "cosim/experiment/check/message_reader.h"
#include "fabrictwin/v1/router.pb.h"
#include "fabrictwin/v1/traffic.pb.h"
#include "workloads/traffic/spec.h"

namespace fabrictwin::traffic {

/// Reads the traffic of a network whose routers are of `model`. Whether a pattern is possible on the network's hosts is
/// checked when the workload is built.
TrafficSpec check_traffic(const v1::Traffic& traffic, v1::RouterModel model, const experiment::MessageReader& reader);

/// How many hosts there must be because of the numbers in a pattern, and which field has the largest ("hotspot_hosts").
struct HostDemand {
  int64_t hosts = 0;
  std::string field;  ///< Empty if there are no numbers.
  int index = -1;     ///< The index in the field, if it is a list.
};
HostDemand host_demand(const ClassSpec& spec);

}  // namespace fabrictwin::traffic

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The costs of the network interfaces that an experiment asks for.
#pragma once

#include "cosim/base/time.h"
#include "cosim/experiment/experiment.h"
#include "models/nic/queue_nic.h"

namespace fabrictwin::nic {

/// Costs of the network interfaces of an experiment with host.nic TOFU or RDMA. `pipeline` is a router's latency from a
/// packet's first word in to that word out: the published latencies of Tofu include a network.
QueueNic::Costs nic_costs(const experiment::Experiment& experiment, Time pipeline);

}  // namespace fabrictwin::nic

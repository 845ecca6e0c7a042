// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The network interfaces that an experiment asks for.
#pragma once

#include "cosim/base/time.h"
#include "cosim/run/experiment.h"
#include "models/queue_nic.h"

namespace fabrictwin {

/// What the network interfaces of an experiment with host.nic TOFU or RDMA cost. `pipeline` is what a router takes from
/// a packet's first word in to that word out: the published latencies of Tofu have a network in them.
QueueNic::Costs nic_costs(const Experiment& experiment, Time pipeline);

}  // namespace fabrictwin

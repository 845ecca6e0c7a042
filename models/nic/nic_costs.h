// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The costs of the network interfaces that an experiment asks for.
#pragma once

#include <functional>

#include "cosim/base/time.h"
#include "cosim/experiment/experiment.h"
#include "models/nic/queue_nic.h"

namespace fabrictwin::nic {

/// What a kind of network interfaces that are a QueueNic gives as its checked values, HostSpec::nic_spec: it makes
/// their costs in the experiment. `pipeline` is a router's latency from a packet's first word in to that word out:
/// published latencies may include a network.
using CostFunction = std::function<QueueNic::Costs(const experiment::Experiment& experiment, Time pipeline)>;

/// The costs of the network interfaces of an experiment, which have to be of such a kind.
QueueNic::Costs nic_costs(const experiment::Experiment& experiment, Time pipeline);

}  // namespace fabrictwin::nic

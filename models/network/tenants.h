// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// All topologies, routing algorithms, router models and network interfaces.
#pragma once

#include <span>

#include "cosim/experiment/experiment.h"
#include "cosim/experiment/tenants.h"
#include "models/routing/factory.h"
#include "models/topology/topology.h"

namespace fabrictwin::network {

/// All topologies, one for each message of v1::Topology.
std::span<const topology::Topology* const> topologies();
/// The topology of a checked experiment.
const topology::Topology& topology_of(const experiment::Experiment& experiment);

/// All routing algorithms. Of several for one kind and network, the first counts.
std::span<const routing::Factory* const> routings();

/// All models of routers, and all network interfaces; the first of each is that of experiments that name none.
std::span<const experiment::RouterCheck* const> routers();
std::span<const experiment::NicCheck* const> nics();

/// What experiments can name: all of these, for load_experiment().
experiment::Tenants tenants();

}  // namespace fabrictwin::network

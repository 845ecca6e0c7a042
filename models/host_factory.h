// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hosts of one's own in a model partition.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cosim/run/counters.h"
#include "cosim/run/digest.h"
#include "cosim/run/system_graph.h"
#include "models/host_interface.h"

namespace fabrictwin {

/// Where a host is, and what it tells the run. What it points to outlives the host.
struct HostSite {
  const SystemGraph* graph = nullptr;
  const Element* host = nullptr;  ///< Its `node` is the host's number.
  Link link;  ///< To its router, of port 0. What the router can hold is graph->buffer_words of each VC.
  LinkCounters* counters = nullptr;  ///< Of the direction towards the router; to be counted by the host.
  EndpointDigest* digest = nullptr;  ///< Of what the host receives.
  std::string* failure = nullptr;    ///< The first failure ends the run; written if it is empty.
};

/// Makes the network side of a host during elaboration; nullptr for the usual one. An sc_module that implements
/// HostInterface replaces the network interface of a host, or all of it (see StandaloneHost).
using HostFactory = std::function<std::unique_ptr<HostInterface>(const HostSite& site)>;

}  // namespace fabrictwin

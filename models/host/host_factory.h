// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// User-defined hosts in a model partition.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cosim/link/counters.h"
#include "cosim/observe/digest.h"
#include "cosim/system/system_graph.h"
#include "models/host/host_interface.h"

namespace fabrictwin::host {

/// Where a host is in the system, and where it reports to. What it points to outlives the host.
struct HostSite {
  const system::SystemGraph* graph = nullptr;
  const system::Element* host = nullptr;  ///< Its `node` is the host's number.
  system::Link link;  ///< The link of port 0 to its router, which has space for graph->buffer_words of each VC.
  link::LinkCounters* counters = nullptr;     ///< Counters of the direction towards the router; the host updates them.
  observe::EndpointDigest* digest = nullptr;  ///< Digest of what the host receives.
  std::string* failure = nullptr;             ///< The first failure ends the run; write it only if this is empty.
};

/// Makes the network side of a host during elaboration; nullptr for the default. An sc_module that implements
/// HostInterface replaces the network interface of a host, or all of it (see StandaloneHost).
using HostFactory = std::function<std::unique_ptr<HostInterface>(const HostSite& site)>;

}  // namespace fabrictwin::host

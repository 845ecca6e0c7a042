// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What models of routers and network interfaces can do. Each has one declaration, in capabilities.cpp; checks and the
// planner compare an experiment with it and name what is missing.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "cosim/base/quantity.h"
#include "fabrictwin/v1/host.pb.h"
#include "fabrictwin/v1/router.pb.h"
#include "fabrictwin/v1/topology.pb.h"

namespace fabrictwin::experiment {

/// What routers of one model, with their hosts, can do.
struct RouterCapabilities {
  v1::RouterModel model = v1::ROUTER_MODEL_UNSPECIFIED;
  bool places = false;    ///< Their links can be cut: they may be RTL, on boards and in other processes.
  bool nodes = false;     ///< They are those of the nodes of exanest.
  bool any_rate = false;  ///< Links may carry more than a word in a router cycle.
  /// The most router cycles that a link may take.
  int64_t most_link_cycles = std::numeric_limits<int64_t>::max();
};

/// What network interfaces of one kind can do.
struct NicCapabilities {
  v1::Host::Nic nic = v1::Host::NIC_UNSPECIFIED;
  bool gets = false;         ///< They read from other hosts.
  bool memory = false;       ///< They read and write the memory of their host.
  bool core_memory = false;  ///< Cores use the same memory.
  /// The only topology that has them; KIND_NOT_SET if all do.
  v1::Topology::KindCase topology = v1::Topology::KIND_NOT_SET;
  /// The frame of a packet in bytes, besides its payload.
  int64_t frame_bytes = 0;
  /// The whole of each packet at most, if it has a size of its own; 0 if router.packet_payload decides.
  int64_t packet_bytes = 0;
};

/// The capabilities of a model; those of EXANET if there is no such model, which is a mistake of its own.
const RouterCapabilities& capabilities(v1::RouterModel model);
/// The capabilities of a kind of network interface; those of PLAIN if there is no such kind.
const NicCapabilities& capabilities(v1::Host::Nic nic);

/// The names of the models that can do something: "EXANET or PACKET".
std::string models_with(bool RouterCapabilities::*capability);
/// The name of the first of them.
std::string first_model_with(bool RouterCapabilities::*capability);
/// The names of the network interfaces that can do something: "TOFU or RDMA".
std::string nics_with(bool NicCapabilities::*capability);

}  // namespace fabrictwin::experiment

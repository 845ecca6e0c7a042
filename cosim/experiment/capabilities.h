// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What models of routers and network interfaces, and hardware, can do. Each of them declares it in its own folder;
// checks and the planner compare an experiment with it and name what is missing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "cosim/link/link_type.h"
#include "fabrictwin/v1/host.pb.h"
#include "fabrictwin/v1/router.pb.h"
#include "fabrictwin/v1/topology.pb.h"

namespace fabrictwin::experiment {

/// What routers of one model, with their hosts, can do.
struct RouterCapabilities {
  v1::RouterModel model = v1::ROUTER_MODEL_UNSPECIFIED;
  bool hardware = false;  ///< They may be RTL and on boards.
  bool modelled = true;   ///< There is a model of them. If not, each of them has a rule that says what it is.
  /// Hosts need not be where their routers are: the link between them can be cut.
  bool host_links = false;
  bool nodes = false;  ///< They are those of the nodes of exanest.
  /// What their links carry.
  link::LinkType::Content content = link::LinkType::Content::kWords;
  bool bare_packets = false;  ///< They take packets of traffic from the workload itself, without network interfaces.
  bool coarse = false;        ///< In a system of words, some elements can be of this model: `depth` of a rule.
  bool coarse_nodes = false;  ///< So can the routers of nodes of exanest.
  bool any_rate = false;      ///< Links may carry more than a word in a router cycle.
  bool marks = false;         ///< They carry what schemes of congestion management write into packets.
  bool pause = false;         ///< They can share a buffer and pause their senders.
  bool queues = false;        ///< Their inputs can have queues of the schemes of v1::Queues.
  bool queue_flits = false;   ///< Each of these queues has a buffer of its own; otherwise they share that of their VC.
  bool set_aside_at_depths = false;  ///< Such queues can be set-aside queues beside routers of another depth.
  bool series = false;        ///< What their hosts receive is followed over simulated time, with queues if they have
  bool queue_meters = false;  ///< meters of what waits in them,
  bool trees = false;         ///< and of what a queue waits for.
  bool faults = false;        ///< Their links can fail while they run.
  bool lanes = false;         ///< Links of several lanes can lose one of them for a while, by bit errors.
  bool notices = false;       ///< They tell each other of hot outputs.
  bool barriers = false;      ///< Barrier interfaces of hosts can be beside them.
  /// They are made like hardware, which marks packets by a bit and a counter and does nothing else for congestion
  /// management.
  bool only_marks = false;
  /// The most router cycles that a link may take.
  int64_t most_link_cycles = std::numeric_limits<int64_t>::max();
};

/// What network interfaces of one kind can do.
struct NicCapabilities {
  v1::Host::Nic nic = v1::Host::NIC_UNSPECIFIED;
  bool takes_no_time = false;  ///< Routers that take bare packets can do without them.
  bool gets = false;           ///< They read from other hosts.
  bool memory = false;         ///< They read and write the memory of their host.
  bool core_memory = false;    ///< Cores use the same memory.
  bool transport = false;      ///< They have queue pairs with acknowledgements, whose rate can be controlled.
  bool gaps = false;           ///< They answer marks by notices, and notices by gaps from a table.
  bool reduces = false;        ///< They have barrier interfaces, which reduce:
  uint64_t most_integers = 0;  ///< at most so many integers,
  uint64_t most_reals = 0;     ///< or floating-point numbers.
  bool mtu = false;            ///< router.packet_payload is their MTU: 256 bytes to 4 KiB, a power of two.
  /// The only topology that has them; KIND_NOT_SET if all do.
  v1::Topology::KindCase topology = v1::Topology::KIND_NOT_SET;
  /// The frame of a packet in bytes, besides its payload.
  int64_t frame_bytes = 0;
  /// The whole of each packet at most, if it has a size of its own; 0 if router.packet_payload decides.
  int64_t packet_bytes = 0;
};

/// What the elements and links of a topology are.
struct TopologyTraits {
  /// Its elements are nodes: logic that has the network interfaces of its hosts, and accelerators.
  bool nodes = false;
  bool lanes = false;  ///< Its links have several lanes.
};

/// What routers and nodes in hardware can do: RTL, and boards, which are made of it.
struct HardwareCapabilities {
  size_t dims = 0;                 ///< The most dimensions of lattices on which they go by coordinates.
  int32_t buffer_words = 0;        ///< The buffers of routers, which are no parameter of an experiment.
  int32_t table_destinations = 0;  ///< The most destinations in the route table of a router.
  int32_t shell_ports = 0;         ///< The most ports of a router in a Verilated shell.
  uint32_t node_addresses = 0;     ///< The most nodes whose messages the network interface of a node tells apart.
  std::array<int32_t, 2> node_link_words{};  ///< The buffers that links between boards of nodes may have.
};

/// What all parts that experiments can name can do. What it points to must outlive it.
struct Capabilities {
  /// The first of each is what experiments have that name none.
  std::vector<const RouterCapabilities*> routers;
  std::vector<const NicCapabilities*> nics;
  HardwareCapabilities hardware;

  /// Those of a model or a kind; the first if there is no such one, which is a mistake of its own.
  const RouterCapabilities& of(v1::RouterModel model) const;
  const NicCapabilities& of(v1::Host::Nic nic) const;

  /// The names of the models that can do something: "EXANET or PACKET".
  std::string models_with(bool RouterCapabilities::*capability) const;
  /// The names of the network interfaces that can do something: "TOFU or RDMA".
  std::string nics_with(const std::function<bool(const NicCapabilities&)>& capability) const;
};

}  // namespace fabrictwin::experiment

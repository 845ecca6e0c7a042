// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What all shards of a packet network have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/line_vector.h"
#include "cosim/base/time.h"
#include "cosim/run/system_graph.h"
#include "models/packet/packet_records.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin {

class PacketClient;

/// A packet network as its maker wants it.
struct PacketNetworkConfig {
  const SystemGraph* graph = nullptr;  ///< Used during create() only.
  std::shared_ptr<const RoutingAlgorithm> routing;
  int32_t vcs = 2;
  Time pipeline;           ///< From the arrival of a packet's first word until that word can be on the way out.
  Time credit_delay;       ///< In a router, from the arrival of a credit until it counts.
  Time turnaround;         ///< From the end of a packet that leaves a buffer until the next one of its VC can leave.
  int32_t max_packet = 0;  ///< Bytes of the largest packet on a link.
  int32_t min_packet = 1;  ///< No packet has less. The more, the less often threads wait for each other.
  uint64_t seed = 0;       ///< Of PacketRoute::draw.
  /// From so many ports of all elements on, records of events to come are fetched ahead of time: they do not stay in
  /// the caches of a core. It makes no difference to what happens.
  size_t large_ports = 8192;
  /// No host learns at a time what another one does at the same time, other than through the network.
  bool independent_hosts = false;
  PacketClient* client = nullptr;  ///< Outlives the network.
};

/// The records of all elements of a graph. Each is used by the shard of its element only, so that threads do not meet
/// in them; what describes the graph does not change.
struct PacketTables {
  static constexpr int32_t kMaxPorts = 64;  ///< Of an element.
  static constexpr int32_t kWordBytes = 16;

  /// All elements in one shard. InvalidArgument if an element has more than kMaxPorts ports, or a buffer has no room
  /// for the largest packet.
  static absl::StatusOr<std::shared_ptr<PacketTables>> create(const PacketNetworkConfig& config);

  /// Whether elements go one after the other through a window, and the network may be split; otherwise all events are
  /// in the order of time.
  static bool by_owner(const PacketNetworkConfig& config);

  /// Gives each element a shard. Links between hosts and routers must not be cut.
  void split(std::vector<uint8_t> shards);

  int vc_shift = 0;      ///< Records of the VCs of a port are 2^vc_shift apart.
  int window_shift = 0;  ///< Of EventQueue.
  int64_t stretch = 0;   ///< Whatever a router does, no other router hears of it within so many femtoseconds, a
                         ///< multiple of a window.
  int32_t hosts = 0;
  uint32_t first_router_port = 0;  ///< Ports of hosts are before it.
  bool several_host_ports = false;
  LineVector<NodeRecord> nodes;  ///< As the elements of the graph: hosts first.
  LineVector<PortRecord> ports;
  LineVector<BufferRecord> buffers;  ///< By port and VC.
  LineVector<uint64_t> waits;        ///< By element and port: which inputs wait for it, beyond the first 64.
  std::vector<LinkKind> links;
  std::vector<uint32_t> exits;    ///< By port of a host: the port at the other end, or PortRecord::kNone.
  std::vector<uint32_t> drawn;    ///< By host: packets that it has sent.
  std::vector<int64_t> stalled;   ///< By port: time stalled, or less its beginning while it is.
  std::vector<uint8_t> shard_of;  ///< By element.

 private:
  using LinkKey = std::tuple<int64_t, int64_t, int32_t>;  ///< Rate, latency and buffers.
  absl::Status build(const PacketNetworkConfig& config);
  uint16_t link_kind(const Link& link, int32_t max_packet, std::vector<LinkKey>& keys);
};

}  // namespace fabrictwin

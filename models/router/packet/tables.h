// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What all shards of a packet network share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/clock.h"
#include "cosim/base/line_vector.h"
#include "cosim/base/time.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "models/congestion/scheme.h"
#include "models/fabric/client.h"
#include "models/kernel/queue_times.h"
#include "models/router/packet/buffer/input_queues.h"
#include "models/router/packet/buffer/shared_buffer.h"
#include "models/router/packet/link_fault.h"
#include "models/router/packet/records.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::router::packet {

/// What routers tell their neighbours of hot outputs.
struct NoticeSpec {
  int64_t threshold = 0;  ///< In bytes: an output is hot while more waits for it.
  int64_t interval = 0;   ///< In femtoseconds: how often a router looks.
};

/// One direction of a link where it is not as the graph says.
struct ChannelConfig {
  system::Link link;  ///< Its ends are those of the graph.
  Time turnaround;    ///< As NetworkConfig::turnaround, for packets that leave by it.
  bool line = false;  ///< It is an APElink: packets wait behind the switch of the router, which is as fast as its
                      ///< clock, and have three quarters of a word behind them (docs/models/apelink.md).
};

/// The configuration of a packet network.
struct NetworkConfig {
  const system::SystemGraph* graph = nullptr;  ///< Outlives the network.
  /// By channel; empty: all are as the graph and `turnaround` say. With it there is a clock, all elements are routers,
  /// and PacketRecord::user of what comes is when its last word has arrived.
  std::vector<ChannelConfig> channels;
  std::shared_ptr<const routing::RoutingAlgorithm> routing;
  int32_t vcs = 2;
  Time pipeline;           ///< From the arrival of a packet's first word until it can leave on the output.
  Time credit_delay;       ///< In a router, from the arrival of a credit until it can be used.
  Time turnaround;         ///< From the end of a packet that leaves a buffer until the next one of its VC can leave.
  Time routing_block;      ///< How much later a packet can leave that comes or goes by a channel with a line.
  int32_t max_packet = 0;  ///< Bytes of the largest packet on a link.
  int32_t min_packet = 1;  ///< No packet is smaller. Larger values let threads synchronize less often.
  uint64_t seed = 0;       ///< Seeds PacketRoute::random.
  /// Packets of a flow stay in order, as on links of words: hosts send them by VC 0, and all have the same random
  /// number, that of nic::flow_ties().
  bool flows_in_order = false;
  /// As beside links of words: routers take the head of a packet at an edge of this clock, packets begin to leave with
  /// a slot of their link, and do not leave sooner than they come. Without it, time is continuous, and packets leave at
  /// the rate of their link.
  std::optional<Clock> clock;
  /// From this many ports of all elements on, records of future events are prefetched, as they do not stay in a core's
  /// caches. Results do not depend on it.
  size_t large_ports = 8192;
  /// At one simulated time, hosts learn of each other only through the network.
  bool independent_hosts = false;
  fabric::Client* client = nullptr;  ///< Outlives the network.
  /// The scheme of congestion management, which outlives the network; null if there is none.
  const congestion::Scheme* scheme = nullptr;
  /// Packets carry numbers of queue pairs: PacketRecord::queue_pair().
  bool queue_pairs = false;
  /// What waits for outputs is counted even if nothing else needs it.
  bool count_queues = false;
  std::optional<NoticeSpec> notices;
  /// Faults of links. Those of one output do not overlap.
  std::vector<LinkFault> faults;
  /// Routers have a queue for each output, and pause their senders, instead of credits.
  std::optional<buffer::SharedBufferSpec> pause;
  /// The queues of the inputs of routers; without `pause`, and with a deterministic algorithm unless there is ONE.
  experiment::QueuesSpec queues;
};

/// The records of all elements of a graph. Only the shard of an element uses its records, so threads never share them;
/// what describes the graph does not change.
struct Tables {
  static constexpr int32_t kMaxPorts = 64;  ///< The most ports of an element.
  static constexpr int32_t kWordBytes = 16;

  /// All elements in one shard. InvalidArgument if an element has more than kMaxPorts ports or a buffer is smaller than
  /// the largest packet.
  static absl::StatusOr<std::shared_ptr<Tables>> create(const NetworkConfig& config);

  /// Whether elements are processed one after the other within a window, so that the network may be split; otherwise
  /// all events are processed in time order.
  static bool by_owner(const NetworkConfig& config);

  /// The links whose packets go through outboxes: those between shards, or all.
  enum class Cut : uint8_t { kBetweenShards, kEverywhere };
  /// Assigns each element to a shard. Links between hosts and routers must not be cut.
  void split(std::vector<uint8_t> shards, Cut cut = Cut::kBetweenShards);

  int vc_shift = 0;      ///< Records of the VCs of a port are 2^vc_shift apart.
  int window_shift = 0;  ///< See event::Queue.
  int64_t window = 0;  ///< The window in femtoseconds: no action of a router reaches another router sooner. A multiple
                       ///< of a window of event::Queue.
  int32_t hosts = 0;
  uint32_t first_router_port = 0;  ///< Ports of hosts come before it.
  bool several_host_ports = false;
  LineVector<NodeRecord> nodes;  ///< In the order of the graph's elements: hosts first.
  LineVector<PortRecord> ports;
  LineVector<BufferRecord> buffers;     ///< By port and VC.
  LineVector<uint64_t> waits;           ///< By element and port: the inputs beyond the first 64 that wait for it.
  LineVector<QueueRecord> queues;       ///< By port; empty if nothing counts what waits for outputs.
  kernel::QueueTimesTable queue_times;  ///< How long outputs of routers had which queue.
  std::vector<buffer::SharedBuffer> memories;         ///< By router, with pause.
  std::unique_ptr<buffer::InputQueues> input_queues;  ///< Null if each VC of an input has one queue.
  std::vector<FaultRecord> faults;  ///< As in the configuration. Only the shard of their element uses them.
  bool apart = false;               ///< Elements of other partitions are in the shard CutLinks::kRemote.
  int64_t base_rate = 0;            ///< The least rate of a link of a host, where `queues` exist.
  std::vector<LinkKind> links;
  std::vector<uint32_t> exits;         ///< By port of a host: the port at the other end, or PortRecord::kNone.
  std::vector<uint32_t> packets_sent;  ///< By host.
  std::vector<int64_t> stalled;   ///< By port: time stalled; while it is stalled, less the time at which that began.
  std::vector<LineRecord> lines;  ///< By port; empty if none has a line.
  LinkKind crossbar;              ///< What leads to lines.
  std::vector<uint8_t> shard_of;  ///< By element.

 private:
  /// Rate, latency, buffers, turnaround and whether it is a line.
  using LinkKey = std::tuple<int64_t, int64_t, int32_t, int64_t, bool>;
  absl::Status build(const NetworkConfig& config);
  absl::Status build_queues(const NetworkConfig& config);
  void build_faults(const NetworkConfig& config);
  void build_input_queues(const NetworkConfig& config);
  uint16_t link_kind(const ChannelConfig& channel, int32_t max_packet, std::vector<LinkKey>& keys);
};

}  // namespace fabrictwin::router::packet

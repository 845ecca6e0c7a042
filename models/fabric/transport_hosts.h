// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hosts of a network of packets whose plain network interfaces have a transport: queue pairs whose rate and window a
// scheme of congestion management controls.
#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cosim/base/fifo.h"
#include "cosim/experiment/experiment.h"
#include "models/congestion/scheme.h"
#include "models/fabric/hosts.h"
#include "models/fabric/transport_edge.h"
#include "models/host/control_counters.h"
#include "models/kernel/pool.h"
#include "models/nic/plain_packet.h"

namespace fabrictwin::fabric {

/// What happened to a flow. Hosts in different shards write different members.
struct FlowSigns {
  int32_t port = 0;  ///< The port of its source, which writes it, and the queue pair there,
  uint32_t queue_pair = 0;
  int32_t source = -1;  ///< and between which hosts it is, when it has begun.
  int32_t destination = -1;
  uint64_t marks = 0;    ///< Destination: packets that arrived with a mark,
  uint64_t notices = 0;  ///< and notices that it has sent.
};

/// Messages are sent by queue pairs: messages that name a flow by one of their own, others by that of their destination
/// and port. A host serves those that may send, in turn or the oldest message first; a queue pair may send when its
/// rate and its window allow that. Each data packet is acknowledged; acknowledgements and notices leave before data. A
/// message may have any size. docs/models/transport.md. Not thread-safe.
class TransportHosts final : public Hosts {
 public:
  struct Config {
    experiment::TransportSpec transport;
    int32_t payload = 0;  ///< The most bytes of a message in a packet.
    /// Outlives the hosts; null if nothing controls rates.
    const congestion::Scheme* scheme = nullptr;
    /// Bytes of flows that have arrived, by Envelope::user[1]; outlives the hosts.
    std::span<uint64_t> flow_bytes;
    /// The signs of as many flows, or of none; outlives the hosts.
    std::span<FlowSigns> flow_signs;
    bool queues = false;  ///< Inputs of routers have several queues: HostEdge::admits() is asked.

    /// Bytes of a data packet on a link, without and with what it carries for the scheme.
    int32_t wire_bytes(int32_t payload_bytes) const;
    int32_t data_bytes(int32_t payload_bytes) const { return wire_bytes(payload_bytes) + extra_bytes(); }
    /// What packets with a record carry for the scheme.
    int32_t extra_bytes() const { return scheme == nullptr ? 0 : scheme->extra_bytes(); }
    /// Bytes of an acknowledgement or notice on a link, with what it carries for the scheme.
    int32_t control_bytes() const;
    /// Acknowledgements and notices go past the network.
    bool aside() const { return transport.acknowledgement == 0; }
    /// How much longer they take then than a word, in femtoseconds.
    int64_t delay() const { return aside() ? transport.acknowledgement_delay.fs() : 0; }
    /// The largest and the smallest packet on a link.
    int32_t largest() const;
    int32_t smallest() const;
  };

  /// `ports` are the ports of each host. `digests`, by host, outlive it. `messages` is the pool of its shard.
  TransportHosts(std::span<const int32_t> ports, const Config& config, std::span<observe::EndpointDigest> digests,
                 Messages messages);

  /// The network, which outlives it; besides bind_edge().
  void bind_transport(TransportEdge* edge) { network_ = edge; }

  const host::ControlCounters& control() const { return control_; }
  /// What was counted of that after the process of the host had finished, where there are other partitions, in which
  /// the run may go on.
  struct Late {
    int64_t at = 0;
    host::ControlCounters counted;
  };
  const std::vector<Late>& late() const { return late_; }

  /// What the scheme lets a flow do now: bits of the link per second, and bytes of data that are sent and not
  /// acknowledged. Both are 0 if the flow is over, or if there is no scheme; the window also if there is none.
  struct Allowance {
    uint64_t rate = 0;
    uint64_t window = 0;
  };
  /// That of a flow which has begun at a host here.
  Allowance allowance(int32_t source, uint32_t queue_pair) const;

  Offer next_packet(int32_t host, int32_t port, int64_t now, int32_t space, nic::NicPacket& packet) override;
  int64_t packet_arrived(int64_t now, const nic::NicPacket& packet) override;
  void expect_arrival(const nic::NicPacket& packet) const override;
  Origin origin(const nic::NicPacket& packet) const override;
  void send_message(int32_t node, const nic::OutgoingMessage& message) override;
  void event(int64_t now, uint32_t id) override;
  bool knows(const nic::NicPacket& packet) const override;
  void settle(int64_t now) override;

 private:
  static constexpr int64_t kNever = congestion::FlowControl::kNever;

  /// A message on its way, as its sender knows it.
  struct Outstanding {
    uint64_t end = 0;  ///< Bytes of the queue pair up to its end.
    uint64_t cookie = 0;
    int64_t alone = 0;  ///< How long it would take in an empty network, at least.
  };
  /// A message to send.
  struct Pending {
    uint32_t id = 0;
    int64_t order = 0;  ///< Its number among the messages of its host.
  };
  /// A queue pair at its sender.
  struct QueuePair {
    int32_t host = 0;
    int32_t port = 0;
    int32_t destination = 0;
    uint32_t number = 0;                               ///< Among those of its host.
    std::unique_ptr<congestion::FlowControl> control;  ///< Null without a scheme, and when a flow has ended.
    Fifo<Pending> messages;                            ///< To send, in order.
    uint64_t given = 0;                                ///< Bytes of all messages so far,
    uint64_t sent = 0;                                 ///< of those, that have been sent,
    uint64_t acknowledged = 0;                         ///< and acknowledged.
    int64_t next_send = 0;                             ///< When its rate allows the next packet.
    int64_t due = 0;                                   ///< When the packet that leaves could have left.
    int64_t timer = kNever;                            ///< When timer events of it are due.
    bool waiting = false;                              ///< It is in one of the heaps of its port.
    bool flow = false;                                 ///< It is that of one message at a time.
    bool repeats = false;                              ///< Others follow that message.
    int64_t stop = kNever;                             ///< It sends nothing from this time on.
    Fifo<Outstanding> outstanding;
  };
  /// A queue pair that waits for its turn (key: its rank among those that may send) or for its time (key: that time).
  using Entry = std::pair<int64_t, uint32_t>;
  using Heap = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;
  struct Port {
    Fifo<nic::NicPacket> control;  ///< Acknowledgements and notices.
    Heap ready;
    Heap paced;
    int64_t turn = 0;
  };
  /// What a receiver remembers of a flow: by sender and queue pair there.
  using Receivers = absl::flat_hash_map<uint64_t, congestion::ReceiverState>;

  Port& port_of(int32_t host, int32_t port) {
    return ports_[first_port_[static_cast<size_t>(host)] + static_cast<size_t>(port)];
  }
  int32_t port_count(int32_t host) const {
    return static_cast<int32_t>(first_port_[static_cast<size_t>(host) + 1] - first_port_[static_cast<size_t>(host)]);
  }
  uint32_t queue_pair_for(int32_t node, const nic::OutgoingMessage& message, int32_t port);
  /// The queue pair of the sender to which an acknowledgement or notice has come.
  uint32_t pair_at(const nic::NicPacket& control) const {
    return pairs_of_[static_cast<size_t>(control.destination)][control.message];
  }
  uint32_t make_queue_pair(int32_t node, int32_t port, int32_t destination);
  int32_t next_payload(const QueuePair& pair) const;
  bool allows(const QueuePair& pair, int64_t now) const;
  void count(int32_t host, int64_t now, const host::ControlCounters& more);
  void end_flow(uint32_t id, int64_t now);
  void leave_outputs(uint32_t id, int64_t now);
  int64_t rank(const QueuePair& pair, Port& port) const;
  void release_paced(Port& port, int64_t now);
  void pass_over(int32_t host, int32_t number, int64_t now);
  void make_eligible(uint32_t id, int64_t now);
  void fill(uint32_t id, int64_t now, nic::NicPacket& packet);
  void reply(const nic::NicPacket& packet, nic::NicPacket::Kind kind);
  void acknowledged(const nic::NicPacket& packet, int64_t now);
  void data_arrived(const nic::NicPacket& packet, int64_t now);
  void await_timer(uint32_t id);
  int64_t alone(const QueuePair& pair, uint64_t bytes) const;
  /// The path of a largest packet, with the time until its acknowledgement is back in an empty network.
  TransportEdge::Path round_trip(int32_t node, int32_t port, int32_t destination) const;
  uint32_t make_record(QueuePair& pair, int64_t now);
  int64_t largest_round_trip() const;
  /// How long an acknowledgement takes back to `node` in an empty network.
  int64_t return_time(int32_t node, int32_t port, int32_t destination) const;
  /// When the acknowledgements of a queue pair are back in an empty network, the last one right behind `before` others.
  TransportEdge::Soonest soonest_return(const QueuePair& pair, int64_t before) const;

  Config config_;
  bool oldest_first_;
  bool telemetry_;
  int64_t network_round_trip_ = 0;  ///< Once it has been asked for.
  TransportEdge* network_ = nullptr;
  std::vector<size_t> first_port_;  ///< By host, and the end.
  std::vector<Port> ports_;
  std::vector<nic::PortTurns> turns_;  ///< By host.
  std::vector<int64_t> orders_;        ///< By host: messages so far.
  std::vector<QueuePair> pairs_;
  /// By host and number: indices in pairs_. Packets carry the numbers, which do not depend on how the network is
  /// divided.
  std::vector<std::vector<uint32_t>> pairs_of_;
  absl::flat_hash_map<uint64_t, uint32_t> by_destination_;  ///< By host and destination, and port.
  absl::flat_hash_map<uint64_t, uint32_t> by_flow_;         ///< Of flows that repeat, by Envelope::user[1].
  Receivers receivers_;
  std::vector<Entry> passed_over_;                          ///< For pass_over().
  std::vector<std::pair<int32_t, Outstanding>> completed_;  ///< Acknowledged at the current time: host, message.
  host::ControlCounters control_;
  std::vector<Late> late_;
};

}  // namespace fabrictwin::fabric

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The hosts of a network of packets: their processes and the messages between them, whatever network interfaces they
// have.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cosim/base/line_vector.h"
#include "cosim/observe/digest.h"
#include "cosim/system/system_graph.h"
#include "models/fabric/client.h"
#include "models/fabric/earliest_failure.h"
#include "models/fabric/foreign_messages.h"
#include "models/host/host_process.h"
#include "models/kernel/pool.h"
#include "models/kernel/shared_pool.h"

namespace fabrictwin::fabric {

/// The number of ports of each host of a graph.
std::vector<int32_t> ports_of_hosts(const system::SystemGraph& graph);

/// Runs the processes of all hosts on the events of a network. Packets name their message and carry no bytes: what a
/// body must hash to follows from its envelope. Messages of one flow (source, destination) are delivered in order,
/// whatever routes their packets took. Derived classes define how messages become packets. With several shards, each
/// has an object of its own with the processes of its hosts. Not thread-safe.
class Hosts : public Client, public host::HostProcess::Owner, public ForeignMessages {
 public:
  /// Call bind_edge() and add_process() before start(). The edge outlives it.
  void bind_edge(HostEdge* edge) { edge_ = edge; }
  void add_process(std::unique_ptr<host::HostProcess> process);
  /// Makes hosts of other partitions known, before start(): `here` says of each host whether it is in this one. Only
  /// with one shard. With `together`, as with work in the background, all partitions end at the same time.
  virtual void be_apart(std::vector<bool> here, bool together) {
    here_ = std::move(here);
    together_ = together;
  }
  /// Starts all processes, at time zero.
  void start();

  int32_t processes() const { return processes_; }
  /// Whether all processes have finished.
  bool finished();
  bool stopped() override { return failed() || finished(); }
  bool failed() const override { return !failure_.empty(); }
  /// When the last of the finished processes finished.
  Time finish_time() const;
  uint64_t packets_received() const { return packets_received_; }
  /// Payload bytes of received packets.
  uint64_t bytes_received() const { return bytes_received_; }
  /// What the process of a host waits for; empty if it has none or does not wait.
  std::string waits_for(int32_t host) const;
  /// The earliest failure.
  const EarliestFailure& failure() const { return failure_; }

  void event(int64_t now, uint32_t id) override;
  void settle(int64_t now) override;
  void wake_process(int32_t node, Time time) override;

  ForeignMessage leave(nic::NicPacket& packet) override;
  bool enter(nic::NicPacket& packet, const ForeignMessage& message) override;

  /// A message, in the pool of its source's shard. Once its first packet has left, the shards of source and destination
  /// use different members.
  struct Message {
    nic::Envelope envelope;
    int32_t source = 0;
    int32_t destination = 0;
    uint32_t sequence = 0;  ///< Number in its flow, if `ordered`; otherwise whatever its sender says.
    bool ordered = true;    ///< Delivered after the earlier messages of its flow.
    bool flow = false;      ///< It is a flow of the workload; only its source knows.
    bool left = false;      ///< All of it has left the host, and the host knows; only if it goes to another partition.
    uint64_t received = 0;  ///< Bytes; if it goes to another partition, those that have gone there.
    // The members below belong to the source.
    uint64_t cookie = 0;
    uint64_t sent = 0;  ///< Bytes, as the network interface counts them.
    uint32_t next = 0;  ///< The next message that leaves through the same port.
  };
  using Messages = kernel::SharedPool<Message>;

  /// Is told of the messages of the hosts of a shard, whose thread makes all calls.
  class Observer {
   public:
    virtual ~Observer() = default;
    /// A host gives a message to its network interface; `id` is its number in the pool.
    virtual void message_sent(uint32_t id, const Message& message, int64_t now) = 0;
    /// All of a message is at the host that wanted it.
    virtual void message_arrived(const Message& message, int64_t now) = 0;
  };
  /// `observer` outlives it; null: nobody.
  void observe(Observer* observer) { observer_ = observer; }

  /// A packet that has arrived after the process of its host had finished, where there are other partitions, in which
  /// the run may go on.
  struct LateArrival {
    int64_t at = 0;
    int32_t host = 0;
    uint16_t bytes = 0;
    uint64_t timing = 0;  ///< The host's timing digest before.
  };
  const std::vector<LateArrival>& late_arrivals() const { return late_; }

  /// To what a packet belongs.
  struct Origin {
    uint64_t number =
        0;  ///< The number of the message; unique among those from the packet's source to its destination.
    uint32_t message = 0;  ///< The message that its source sends, or 0 if it responds to another host.
  };
  virtual Origin origin(const nic::NicPacket& packet) const = 0;

 protected:
  /// Client events. Without these bits, the event is of a process; with one, of a message that has left or has arrived
  /// completely; with both, of a read that has completed.
  static constexpr uint32_t kSent = uint32_t{1} << 31;
  static constexpr uint32_t kArrived = uint32_t{1} << 30;
  static constexpr uint32_t kMessage = kSent | kArrived;

  /// `digests`, by host, outlive it.
  Hosts(size_t hosts, std::span<observe::EndpointDigest> digests, Messages messages);

  uint32_t make_message(int32_t node, const nic::OutgoingMessage& message, bool ordered);
  /// Counts an arrived packet; `label` names it in addition to its payload.
  void count_packet(int64_t now, const nic::NicPacket& packet, uint64_t label);
  /// Prefetch hint: a packet for a host will soon be counted, and its message may be complete(). Fetches the records of
  /// the host.
  void expect_host(int32_t destination) const;
  /// Prefetch hint after expect_host(), for a message that will be complete(): fetches what those records refer to.
  void expect_complete(int32_t source, int32_t destination) const;
  /// Tells the process of a host that all of one of its messages has arrived; call it before settle().
  void deliver_acknowledged(int32_t host, uint64_t cookie, Time alone);
  /// A message has arrived completely. Delivers it and those that waited for it, unless it must wait itself.
  void complete(uint32_t id);
  /// Whether a message goes to a host of another partition, where it will be delivered. An event kSent must tell when
  /// all of it has left its host.
  bool goes_away(const Message& message) const { return !is_here(message.destination); }
  /// Whether there are other partitions, and whether a host is in this one.
  bool apart() const { return !here_.empty(); }
  bool is_here(int32_t host) const { return here_.empty() || here_[static_cast<size_t>(host)]; }
  /// The number of the message of a packet in its flow, also if both of its ends are in other partitions.
  uint64_t number_of(uint32_t message) const {
    return (message & kPassing) != 0 ? passing_[message & ~kPassing].sequence : messages_[message].sequence;
  }
  /// A packet of data leaves that names its message, or comes from elsewhere: returns what it is to be named here, or
  /// nothing if it comes back and has not left.
  ForeignMessage leave_message(uint32_t message, uint32_t payload);
  std::optional<uint32_t> enter_message(int32_t source, int32_t destination, const ForeignMessage& message);
  /// The bytes of a message that packets carry.
  virtual uint64_t bytes_of(const Message& message) const;
  /// Whether the process of a host sends nothing any more, and the run may be over while this partition goes on.
  bool over(int32_t host) const {
    const Host& here = hosts_[static_cast<size_t>(host)];
    return !together_ && (!here.process || here.process->finished());
  }
  /// Records a failure of a host at the current time, unless `what` is empty.
  void fail(int32_t host, std::string what);

  /// Late arrivals are kept.
  void keep_late() { keeps_late_ = true; }

  HostEdge* edge_ = nullptr;
  Messages messages_;
  int64_t now_ = 0;  ///< Valid while processes run.

 private:
  /// Messages between a host and another one.
  struct Peer {
    uint32_t sent = 0;       ///< Number of messages to the other host.
    uint32_t delivered = 0;  ///< Number of messages from the other host, delivered in order.
    uint32_t held = 0;       ///< Number of messages from the other host that arrived before their predecessors.
  };
  /// One host, in one cache line.
  struct Host {
    std::unique_ptr<host::HostProcess> process;
    Time wake = Time::never();
    absl::flat_hash_map<int32_t, Peer> peers;  ///< By the other host.
    bool due = false;
  };

  /// NicPacket::message is this and a number in `passing_` if both ends of the packet are in other partitions.
  static constexpr uint32_t kPassing = uint32_t{1} << 31;
  /// A message between hosts here with packets elsewhere.
  struct Outside {
    uint32_t message = 0;
    int32_t packets = 0;  ///< That come back.
  };
  /// Source, destination, and number in its flow, which tell messages apart even if packets of many are on their way;
  /// numbers of ordered messages are others than those of the rest.
  using ForeignKey = std::tuple<int32_t, int32_t, uint64_t>;

  static ForeignKey key_of(int32_t source, int32_t destination, uint32_t sequence, bool ordered) {
    return {source, destination, uint64_t{ordered} << 32 | sequence};
  }
  static ForeignKey key_of(const Message& message) {
    return key_of(message.source, message.destination, message.sequence, message.ordered);
  }
  /// All of a message that goes away has left its host.
  void has_left(uint32_t id);
  /// Drops such a message if nobody needs it any more.
  void drop_if_gone(uint32_t id);
  static uint64_t flow_key(const Message& message) {
    return uint64_t{static_cast<uint32_t>(message.source)} << 32 | static_cast<uint32_t>(message.destination);
  }
  void deliver(uint32_t id);
  void settle_message(uint32_t event);
  void make_due(int32_t host);

  std::span<observe::EndpointDigest> digests_;
  LineVector<Host> hosts_;
  absl::flat_hash_map<uint64_t, std::vector<uint32_t>> held_;  ///< By flow.
  std::vector<uint32_t> happened_;                             ///< Events of messages at the current time.
  std::vector<int32_t> due_;
  std::vector<int32_t> running_;
  int32_t processes_ = 0;
  size_t finished_ = 0;  ///< Hosts before this one have finished.
  uint64_t packets_received_ = 0;
  uint64_t bytes_received_ = 0;
  EarliestFailure failure_;
  Observer* observer_ = nullptr;
  // For hosts of other partitions: hosts_apart.cpp.
  std::vector<bool> here_;  ///< By host; empty if all are.
  bool together_ = false;
  absl::flat_hash_map<ForeignKey, uint32_t> arriving_;  ///< Messages from there that have not been delivered.
  absl::flat_hash_map<ForeignKey, Outside> outside_;
  bool keeps_late_ = false;
  std::vector<LateArrival> late_;
  kernel::Pool<ForeignMessage> passing_;  ///< Messages of packets that only pass, one for each packet.
};

}  // namespace fabrictwin::fabric

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A network simulated packet by packet: virtual cut-through, any graph, any routing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/time.h"
#include "models/packet/earliest_failure.h"
#include "models/packet/event_queue.h"
#include "models/packet/packet_client.h"
#include "models/packet/packet_records.h"
#include "models/packet/packet_tables.h"
#include "models/packet/pool.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin {

/// Routers, links and host ports as one state machine. docs/models/packet-network.md has the equations. A packet costs
/// one event for each hop, and one more for each time that it has to wait. Not thread-safe.
class PacketNetwork : public CongestionView {
 public:
  using Config = PacketNetworkConfig;

  /// What a port has sent.
  struct Sent {
    uint64_t bytes = 0;
    uint64_t packets = 0;
    Time stalled;  ///< Time for which a packet waited only for room behind this port.
  };

  static constexpr int32_t kMaxVcs = 32;
  static constexpr int32_t kWordBytes = PacketTables::kWordBytes;

  /// What a shard tells another one.
  struct alignas(64) Outbox {
    struct Room {
      int64_t time = 0;  ///< From when on it counts.
      uint32_t vc = 0;   ///< Of the port that hears of it.
      int32_t bytes = 0;
    };
    std::vector<PacketRecord> packets;  ///< `next` is the VC where one is put, `time` when it can leave that.
    std::vector<Room> rooms;
    int64_t first = EventQueue::kNever;  ///< Nothing in it matters before.
  };

  /// A network in one shard. Errors of PacketTables::create().
  static absl::StatusOr<std::unique_ptr<PacketNetwork>> create(const Config& config);
  /// One of several shards: the elements that `tables` says are its own, of whose hosts it tells `config.client`.
  /// Several threads may run shards at the same time, each up to the end of the present stretch at most.
  PacketNetwork(const Config& config, std::shared_ptr<PacketTables> tables, size_t shards);

  /// When something happened last.
  Time now() const { return Time::from_fs(latest_); }
  /// When something happens next; Time::never() if nothing does.
  Time next_time() const { return next_ == EventQueue::kNever ? Time::never() : Time::from_fs(next_); }
  /// Simulates everything that happens before `until`, in femtoseconds. It ends sooner where the client says so: then
  /// what has happened does not depend on `until`; one of several shards leaves that to others. It ends sooner at a
  /// failure too, but not before everything that could fail earlier has happened.
  void run(int64_t until);
  /// Whether it has ended because the client said so. It must not run again.
  bool stopped() const { return stopped_; }
  /// Before each stretch, in each of several shards. What run() puts into outboxes from now on is for after the stretch
  /// and lies in other boxes than before, so that those can be emptied meanwhile.
  void turn() { boxes_ ^= outboxes_.size() / 2; }
  /// What it has put, since the last turn(), into the box of shard `to`.
  const Outbox& outbox(size_t to) const { return outboxes_[boxes_ + to]; }
  /// Takes what another shard had put into the box of shard `self`, this one, before the last turn(). A failure if any
  /// of it is of a time before `begin`, which is over.
  void take_from(PacketNetwork& other, size_t self, int64_t begin);
  /// Brings next_time() up to date after take_from(), which run() does by itself.
  void find_next() { next_ = events_.next_time(); }

  /// A port of a host has a packet that may leave at `at`, not in the past.
  void wake(int32_t host, int32_t port, int64_t at);
  /// Asks for PacketClient::event() at `at`, not in the past. It concerns `host` only.
  void schedule(int32_t host, int64_t at, uint32_t id);
  /// How long a packet occupies the link of a port of a host.
  int64_t duration(int32_t host, int32_t port, int32_t bytes) const;

  int64_t queue(int32_t router, int32_t port) const override;

  /// By element and port of the graph, at a time that is not before now().
  Sent sent(int32_t element, int32_t port, Time at) const;
  /// Packets sent by all ports.
  uint64_t packet_hops() const { return hops_; }
  uint64_t packets_in_flight() const { return in_flight_; }
  /// Something that can only be a mistake in graph or routing: the first, if there are several.
  const EarliestFailure& failure() const { return failure_; }

 private:
  enum Kind : uint32_t { kReady, kRead, kTry, kDeliver, kClient };
  struct Candidate {
    int64_t ready = 0;
    uint32_t vc = 0;  ///< Where it waits, of all VCs.
    uint32_t packet = 0;
    uint32_t vcs = 0;  ///< Mask of those that it may take.
    int32_t bytes = 0;
    bool escape = false;  ///< This port is only its escape.
    bool spoken = false;  ///< Its escape is here too.
  };

  static uint64_t what(Kind kind, uint32_t id) { return uint64_t{kind} << 32 | id; }
  static Kind kind_of(const EventEntry& event) { return static_cast<Kind>(event.what >> 32); }
  void fail(const NodeRecord& node, const std::string& what);
  void fail_late(uint32_t vc, int64_t time, int64_t begin);

  void prefetch_ahead(size_t left);
  [[gnu::always_inline]] inline void prefetch_first(const EventEntry& event) const;
  [[gnu::always_inline]] inline void prefetch_front(const EventEntry& event) const;
  [[gnu::always_inline]] inline void prefetch_way(const EventEntry& event);
  [[gnu::always_inline]] inline void prefetch_end(const EventEntry& event) const;
  /// Calls `visit` with each buffer of whose packet in front an event tells.
  template <typename Visit>
  [[gnu::always_inline]] inline void for_each_buffer(const EventEntry& event, const Visit& visit) const;
  void process(std::span<const EventEntry> events);
  void ready(uint32_t id);
  void read(uint32_t id);
  void deliver(uint32_t id);
  void inject(uint32_t out);
  void run_dirty();
  void decide(const NodeRecord& node, uint32_t out);
  void transmit(uint32_t out, uint32_t out_vc, uint32_t packet);
  void put(uint32_t id, uint32_t element, int64_t time, uint32_t packet);
  void leave(uint32_t id, int64_t room_at);
  void give_back(BufferRecord& room, int64_t time, int32_t bytes);
  Outbox& outbox_of(const PortRecord& port) { return outboxes_[boxes_ + tables_->shard_of[port.peer_element]]; }
  /// Room that the sender knows of by now.
  void collect(BufferRecord& room) {
    while (room.time[0] <= now_) {
      room.free += room.bytes[0];
      room.time[0] = room.time[1];
      room.bytes[0] = room.bytes[1];
      room.time[1] = BufferRecord::kNever;
      if (room.newest != 0) refill(room);
    }
  }
  void refill(BufferRecord& room);
  void try_at(uint32_t port, int64_t time);
  void read_again(uint32_t id);
  void touch(uint32_t port);

  void pass(uint32_t id);
  void enroll(uint32_t id);
  /// Word number `word` of the inputs that wait for a port of a router.
  uint64_t& waits(const NodeRecord& node, uint32_t port, uint32_t word) const {
    return word == 0 ? ports_[node.first_port + port].waiting
                     : waits_[node.first_wait + port * node.wait_words + word - 1];
  }
  void await(const NodeRecord& node, uint32_t port, uint32_t input) {
    waits(node, port, input / 64) |= uint64_t{1} << (input & 63);
  }
  bool waited_for(const NodeRecord& node, uint32_t port) const;
  void withdraw(const NodeRecord& node, uint32_t id);
  bool is_way(const NodeRecord& node, const RouteOption& option) const;
  bool leads_on(const NodeRecord& node, int32_t port) const;
  bool find_way(const NodeRecord& node, uint32_t id);
  void fail_lost(const NodeRecord& node, const PacketRecord& packet);
  int32_t leaving_port(const NodeRecord& node, const RouteOption& option, const PacketRecord& packet) const;
  void arbitrate(const NodeRecord& node, uint32_t out);
  void gather(const NodeRecord& node, uint32_t out);
  void consider(const NodeRecord& node, uint32_t out, uint32_t id);
  bool consider_options(const NodeRecord& node, uint32_t out, Candidate& candidate);
  void release_others(const NodeRecord& node, uint32_t out, bool granted);
  void end_stall(PortRecord& port);
  int32_t choose_vc(uint32_t out, const Candidate& candidate, uint32_t reserved);
  int32_t room_behind(uint32_t id, uint32_t vcs);
  void await_room(uint32_t out, uint32_t vcs);
  void follow(uint32_t id, int64_t end);
  void grant(const NodeRecord& node, uint32_t out, const Candidate& candidate, uint32_t out_vc);
  void forward(uint32_t out, const Candidate& candidate, uint32_t out_vc);

  uint32_t first_vc(uint32_t port) const { return port << vc_shift_; }
  /// Where it says what concerns all buffers of the port of buffer `id`.
  BufferRecord& first_of(uint32_t id) { return buffers_[id >> vc_shift_ << vc_shift_]; }
  /// What `port` knows of the buffer of a VC at the other end of its link.
  BufferRecord& room_of(const PortRecord& port, uint32_t vc) { return buffers_[first_vc(port.rooms) + vc]; }
  /// What a packet in a buffer is called in the masks of waiting inputs.
  uint32_t input_of(const NodeRecord& node, uint32_t id) const { return id - first_vc(node.first_port); }
  int32_t vc_index(uint32_t id) const { return static_cast<int32_t>(id & ((uint32_t{1} << vc_shift_) - 1)); }
  uint32_t all_vcs() const { return vcs_ >= 32 ? ~uint32_t{0} : (uint32_t{1} << vcs_) - 1; }
  RouteOptions& cleared_options() {
    options_.clear();
    return options_;
  }

  std::shared_ptr<PacketTables> tables_;
  // Views of the tables.
  std::span<NodeRecord> nodes_;
  std::span<PortRecord> ports_;
  std::span<BufferRecord> buffers_;
  std::span<uint64_t> waits_;
  std::span<const LinkKind> links_;

  std::shared_ptr<const RoutingAlgorithm> routing_;
  bool deterministic_;
  bool several_host_ports_;
  bool large_;  ///< More records than caches hold.
  uint32_t vcs_;
  int vc_shift_;  ///< Records of the VCs of a port are 2^vc_shift_ apart.
  int64_t pipeline_;
  int64_t credit_delay_;
  int64_t turnaround_;
  int32_t hosts_;
  uint32_t first_router_port_;  ///< Ports of hosts are before it.
  uint64_t seed_;
  PacketClient* client_;

  bool by_owner_;  ///< Elements one after the other in a window; otherwise all of them in the order of time.
  bool only_;      ///< There is one shard.
  EventQueue events_;
  uint64_t fetched_sort_ = 0;        ///< Of the events that `fetched_` counts.
  std::array<size_t, 4> fetched_{};  ///< How many of them each stage of fetching ahead has been through.
  bool stopping_ = false;            ///< The client says so.
  int64_t stop_at_ = 0;              ///< Then: the end of the stretch.
  bool stopped_ = false;
  int64_t now_ = 0;
  int64_t latest_ = 0;  ///< Within a window, elements come one after the other.
  int64_t next_ = EventQueue::kNever;
  bool processing_ = false;
  bool alone_ = false;  ///< Only one thing happens now, so that it can be decided at once.

  Pool<PacketRecord> packets_;
  Pool<ReturnRecord> returns_;
  std::vector<Outbox> outboxes_;  ///< Twice, by shard.
  size_t boxes_ = 0;              ///< Where those begin that are being filled.

  std::vector<uint32_t> dirty_;     ///< Elements with dirty ports.
  std::vector<uint32_t> arriving_;  ///< VCs of hosts at which packets arrive now.
  std::vector<Candidate> candidates_;
  RouteOptions options_;
  uint64_t hops_ = 0;
  uint64_t in_flight_ = 0;
  EarliestFailure failure_;
};

}  // namespace fabrictwin

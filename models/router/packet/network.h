// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A network simulated packet by packet: virtual cut-through, any graph, any routing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "cosim/base/time.h"
#include "models/congestion/scheme.h"
#include "models/fabric/client.h"
#include "models/fabric/earliest_failure.h"
#include "models/fabric/transport_edge.h"
#include "models/kernel/pool.h"
#include "models/kernel/sent_window.h"
#include "models/router/packet/buffer/input_queues.h"
#include "models/router/packet/buffer_meter.h"
#include "models/router/packet/candidate.h"
#include "models/router/packet/event/queue.h"
#include "models/router/packet/event_kind.h"
#include "models/router/packet/flow_route.h"
#include "models/router/packet/link_fault.h"
#include "models/router/packet/link_timing.h"
#include "models/router/packet/observer.h"
#include "models/router/packet/outbox.h"
#include "models/router/packet/packet_train.h"
#include "models/router/packet/records.h"
#include "models/router/packet/tables.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::router::packet {

/// Routers, links and host ports as one state machine; docs/models/packet-network.md has the equations. A packet costs
/// one event per hop, and one more for each time that it has to wait. Not thread-safe.
class Network final : public routing::CongestionView, public fabric::TransportEdge {
 public:
  using Config = NetworkConfig;

  static constexpr int32_t kMaxVcs = 32;

  /// A network in one shard. Errors are those of Tables::create().
  static absl::StatusOr<std::unique_ptr<Network>> create(const Config& config);
  /// One of several shards. It owns the elements that `tables` assign to it; `config.client` are its hosts. Threads may
  /// run shards concurrently, each no further than the end of the current window.
  Network(const Config& config, std::shared_ptr<Tables> tables, size_t shards);

  /// `observer` is told from now on what the packets do that it follows, and outlives the network.
  void observe(Observer& observer) {
    observer_ = &observer;
    watched_ = true;
  }
  /// `meter` counts from now on what is in buffers of routers, and outlives the network.
  void count_buffers(BufferMeter& meter) {
    meter_ = &meter;
    watched_ = true;
  }

  /// A packet has come from another partition to a router here, by a link of the kind `link` that it began to leave by
  /// at `begin`. Does nothing where buffers are not counted.
  void count_coming(uint32_t element, uint32_t link, int32_t bytes, int64_t begin);

  /// When something last happened.
  Time now() const { return Time::from_fs(latest_); }
  /// When something happens next; Time::never() if nothing does.
  Time next_time() const { return next_ == event::Queue::kNever ? Time::never() : Time::from_fs(next_); }
  /// Simulates everything before `until`, in femtoseconds. Ends sooner if the client says so: then what has happened
  /// does not depend on `until` (one of several shards leaves this to the others). Also ends sooner at a failure, but
  /// not before everything that could fail earlier has happened.
  void run(int64_t until);
  /// Whether the client ended the run. It must not run again then.
  bool stopped() const { return stopped_; }
  /// For one of several partitions of a run with work in the background: run() also ends when the client here says so,
  /// with all that happens before stops(). It runs again after go_on(), whatever the client says then.
  void end_with_client() { ends_ = true; }
  Time stops() const { return Time::from_fs(stop_at_); }
  void go_on() { ends_ = stopping_ = stopped_ = false; }
  /// Called before each window, in each of several shards. From now on run() fills outboxes for the next window in a
  /// second set of boxes, so that the first set can be emptied meanwhile.
  void turn() { boxes_ ^= outboxes_.size() / 2; }
  /// What has been put into the outbox for shard `to` since the last turn().
  Outbox& outbox(size_t to) { return outboxes_[boxes_ + to]; }
  /// Takes what another shard had put into its outbox for this shard, `self`, before the last turn(). It is a failure
  /// if anything is of a time before `begin`, which has been simulated.
  void take_from(Network& other, size_t self, int64_t begin);
  /// Takes an outbox of any origin so, and empties it.
  void take(Outbox& box, int64_t begin);
  /// A packet that goes past the network, from its host, at a time at which all of it has arrived: the next cut output
  /// of its path after input `from` of this shard (PortRecord::kNone: from its host), and when a record that goes by it
  /// arrives at the other end. Only where the rest of the system is one other shard, and this is shard 0.
  struct AsideHop {
    uint32_t out = PortRecord::kNone;
    int64_t arrives = 0;
  };
  AsideHop next_aside_hop(const PacketRecord& packet, uint32_t from) const;
  /// In Outbox::packets, `next` of a packet that goes aside.
  static constexpr uint32_t kNoBuffer = ~uint32_t{0};
  /// Counts packets that come from other places, less those that have gone there.
  void count_in_flight(int64_t more) { in_flight_ += static_cast<uint64_t>(more); }
  /// Makes the faults of the outputs of this shard, `self`, happen. Call it once, before the first run().
  void schedule_faults(uint8_t self);
  /// Updates next_time() after take_from(); run() does this itself.
  void find_next() { next_ = events_.next_time(); }

  void wake(int32_t host, int32_t port, int64_t at) override;
  void schedule(int32_t host, int64_t at, uint32_t id) override;
  int64_t duration(int32_t host, int32_t port, int32_t bytes) const override;
  bool admits(int32_t host, int32_t port, int32_t destination, int32_t bytes, uint32_t queue_pair) override;
  int32_t queue_of(int32_t host, int32_t port, int32_t destination) override;

  int64_t queue(int32_t router, int32_t port) const override;
  int64_t waiting(int32_t router, int32_t port) const override;
  int64_t told(int32_t router, int32_t other, int32_t port) const override;

  Path path(int32_t source, int32_t port, int32_t destination, const Train& train) const override;
  Soonest soonest(int32_t source, int32_t port, int32_t destination, uint32_t queue_pair,
                  const Train& train) const override;
  int64_t link_rate(int32_t host, int32_t port) const override;
  uint32_t make_path_record() override;
  congestion::PathRecord& path_record(uint32_t id) override { return paths_[id]; }
  void drop_path_record(uint32_t id) override { paths_.drop(id); }
  void send_aside(const nic::NicPacket& packet, int64_t at) override;
  /// How often inputs of routers have paused their senders.
  uint64_t pauses() const { return pauses_; }
  /// For how long outputs of this shard have been paused until `at`, all together, in femtoseconds.
  int64_t paused(int64_t at) const {
    return static_cast<int64_t>(paused_fs_ + static_cast<uint64_t>(at) * static_cast<uint64_t>(paused_outputs_));
  }
  /// The outputs that packets of a queue pair lead through, the host's first.
  FlowRoute flow_route(int32_t source, int32_t port, int32_t destination, uint32_t queue_pair) const;
  /// Bytes that have come by an input of a router and wait for an output of it, where that is counted.
  int64_t waiting(uint32_t out, uint32_t input) const;
  int64_t waiting_of(uint32_t id, uint32_t out, uint32_t input, uint32_t vc) const;
  /// Whether an output of a router has packets that wait because of what is behind it: it is paused, or more than half
  /// of the buffers at the other end are full at `at`, in femtoseconds.
  bool held_up(uint32_t out, int64_t at) const;

  /// What came of the faults of the configuration so far.
  std::vector<FaultOutcome> fault_outcomes() const;
  /// The longest queue that there was at an output, where that is counted.
  int64_t most_queued(uint32_t port) const;
  /// All outputs of this shard, whose number is `self`, that have failed now.
  std::vector<FailedOutput> failed_outputs(uint8_t self) const;
  /// Set-aside queues that were made and released since whoever reads this cleared it.
  std::vector<buffer::SetAsideChange>& set_aside_changes() { return set_aside_changes_; }
  /// Where the only shard counts them if there are many, between two windows; outlives the network.
  void count_set_aside(buffer::SetAsideCount& count) { set_aside_count_ = &count; }

  /// Counters by element and port of the graph, at a time not before now().
  SentCounters sent(int32_t element, int32_t port, Time at) const;
  /// Packets sent by all ports.
  uint64_t packet_hops() const { return hops_; }
  uint64_t packets_in_flight() const { return in_flight_; }
  /// The first failure, which can only come from a mistake in graph or routing.
  const fabric::EarliestFailure& failure() const { return failure_; }

 private:
  /// The queue of an output that has failed, in flits.
  static constexpr int64_t kUnusable = int64_t{1} << 32;
  void fail(const NodeRecord& node, const std::string& what);
  void fail_late(uint32_t vc, int64_t time, int64_t begin);

  void prefetch_ahead(size_t left);
  [[gnu::always_inline]] inline void prefetch_first(const event::Entry& event) const;
  [[gnu::always_inline]] inline void prefetch_front(const event::Entry& event) const;
  [[gnu::always_inline]] inline void prefetch_route(const event::Entry& event);
  [[gnu::always_inline]] inline void prefetch_end(const event::Entry& event) const;
  /// Calls `visit` with each buffer whose front packet an event concerns.
  template <typename Visit>
  [[gnu::always_inline]] inline void for_each_buffer(const event::Entry& event, const Visit& visit) const;
  void process(std::span<const event::Entry> events);
  [[gnu::always_inline]] inline void ready(uint32_t id);
  int64_t past_block(uint32_t id);
  /// How much longer words take from one link to another because of a routing block.
  int64_t block_between(const LinkKind& in, const LinkKind& out) const {
    return in.line || out.line ? routing_block_ : 0;
  }
  void read(uint32_t id);
  void deliver(uint32_t id);
  void inject(uint32_t out);
  uint32_t next_random(const nic::NicPacket& packet);
  void run_dirty();
  void decide(const NodeRecord& node, uint32_t out);
  void transmit(uint32_t out, uint32_t out_vc, uint32_t packet, const Departure& departure);
  void tell_departure(const PortRecord& port, uint32_t packet);
  void put(uint32_t id, uint32_t element, int64_t time, uint32_t packet);
  void tell_manager(const PortRecord& port, uint32_t packet);
  void count_arrivals(uint32_t id);
  void count(const NodeRecord& node, int32_t port, PacketRecord& packet);
  void store(uint32_t id);
  int32_t shortest_queue(const NodeRecord& node, uint32_t id, uint32_t waiting);
  void enqueue(uint32_t out, uint32_t packet);
  void send_next(uint32_t out);
  void signal(uint32_t input, buffer::SharedBuffer::Signal signal);
  void count_pause(bool begins);
  void set_paused(uint32_t port, bool paused);
  int64_t time_at_next_router(const LinkKind& link, int32_t bytes) const;
  void start_looking();
  void note_change(uint32_t element);
  void look(uint32_t element);
  void take_notice(uint32_t id);
  void send_notice(const Outbox::Notice& notice);
  void process_first(std::span<const event::Entry> events);
  void begin_fault(FaultRecord& fault);
  void end_fault(FaultRecord& fault);
  void end_healing(uint32_t port);
  void withdraw_routes(const NodeRecord& node);
  int32_t counted_port(const NodeRecord& node, uint32_t id, uint32_t packet);
  void route_again(const NodeRecord& node);
  void count_sent(int32_t max_packet);
  void move_queue(const NodeRecord& node, uint32_t out);
  void avoid_failed(const NodeRecord& node);
  /// Calls `visit` with each buffer of a router that has a packet.
  template <typename Visit>
  void for_each_buffer_of(const NodeRecord& node, const Visit& visit) const;
  // Paths of packets: paths.cpp.
  class PathSearch;
  struct TakenPath {
    int32_t links = 0;
    bool only = true;  ///< No router on it has others.
  };
  const LinkKind& link_behind(uint32_t out) const;
  routing::PacketRoute route_between(int32_t source, int32_t destination, uint32_t queue_pair) const;
  template <typename Visit>
  bool follow_path(int32_t source, int32_t source_port, int32_t destination, uint32_t queue_pair,
                   const Visit& visit) const;
  void take_link(uint32_t out, bool first, bool one_vc, PacketTrain::Link how, PacketTrain& packets) const;
  TakenPath take_path(int32_t source, int32_t source_port, int32_t destination, uint32_t queue_pair,
                      PacketTrain& packets) const;
  bool scatters(int32_t source, int32_t source_port, int32_t destination) const;
  void deliver_asides();
  void add_to(Outbox& box, const PacketRecord& packet);
  /// Takes the packet in front out of a buffer.
  void pop(uint32_t id) {
    BufferRecord& buffer = buffers_[id];
    buffer.front = packets_[buffer.front].next;
    buffer.out_port = kNotRouted;
    if (buffer.front == 0) first_of(id).occupied &= ~(uint32_t{1} << vc_index(id));
  }
  void leave(uint32_t id, int64_t credit_at);
  void give_back(BufferRecord& credits, int64_t time, int32_t bytes);
  Outbox& outbox_of(const PortRecord& port) { return outboxes_[boxes_ + tables_->shard_of[port.peer_element]]; }
  /// Adds the free space that the sender knows of by now.
  void collect(BufferRecord& credits) {
    while (credits.time[0] <= now_) {
      credits.free += credits.bytes[0];
      credits.time[0] = credits.time[1];
      credits.bytes[0] = credits.bytes[1];
      credits.time[1] = BufferRecord::kNever;
      if (credits.newest != 0) refill(credits);
    }
  }
  void refill(BufferRecord& credits);
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
  bool is_valid(const NodeRecord& node, const routing::RouteOption& option) const;
  /// What routing works on of a packet, with its queue pair.
  routing::PacketRoute route_of(const PacketRecord& packet) const {
    routing::PacketRoute route = packet.route();
    if (queue_pairs_) [[unlikely]]
      route.flow = packet.queue_pair();
    return route;
  }
  const routing::RouteOption* chosen_option(const NodeRecord& node, const routing::PacketRoute& route) const;
  bool leads_on(const NodeRecord& node, int32_t port) const;
  /// The options of a packet in buffer `id`, in options_.
  void find_options(const NodeRecord& node, uint32_t id, routing::PacketRoute& route) {
    options_.clear();
    routing_->options(node.number, buffers_[id].index, vc_index(id), route, options_);
    if (faulty_) [[unlikely]]
      avoid_failed(node);
  }
  bool find_route(const NodeRecord& node, uint32_t id) { return find_route(node, id, buffers_[id].front); }
  bool find_route(const NodeRecord& node, uint32_t id, uint32_t waiting);
  void fail_lost(const NodeRecord& node, const PacketRecord& packet);
  int32_t leaving_port(const NodeRecord& node, const routing::RouteOption& option, int32_t destination,
                       int32_t destination_port) const;
  int32_t leaving_port(const NodeRecord& node, const routing::RouteOption& option, const PacketRecord& packet) const {
    return leaving_port(node, option, packet.destination, packet.destination_port);
  }
  void arbitrate(const NodeRecord& node, uint32_t out);
  void gather(const NodeRecord& node, uint32_t out);
  void consider(const NodeRecord& node, uint32_t out, uint32_t id);
  bool consider_options(const NodeRecord& node, uint32_t out, Candidate& candidate);
  void release_others(const NodeRecord& node, uint32_t out, bool granted);
  void end_stall(PortRecord& port);
  int32_t choose_vc(uint32_t out, const Candidate& candidate, uint32_t reserved);
  int32_t space_behind(uint32_t id, uint32_t vcs);
  void await_space(uint32_t out, uint32_t vcs);
  void follow(uint32_t id, int64_t gate);
  void grant(const NodeRecord& node, uint32_t out, const Candidate& candidate, uint32_t out_vc);
  void forward(uint32_t out, const Candidate& candidate, uint32_t out_vc);
  void read_others(uint32_t id);
  // Routers with lines: departures.cpp.
  void forward_by_lines(uint32_t out, const Candidate& candidate, uint32_t out_vc);
  Departure slice(uint32_t out, Departure departure, int32_t bytes);
  bool slice_is_wrong(FaultRecord& fault, int32_t bytes);
  void switch_slicing(FaultRecord& fault, bool duplicates);
  Departure line_up(uint32_t out, const Departure& through, int32_t bytes);

  // Queues of a scheme: queue_schemes.cpp, set_aside.cpp.
  auto next_packet_of() {
    return [this](uint32_t packet) -> uint32_t& { return packets_[packet].next; };
  }
  /// The output of a packet that waits in a buffer.
  uint32_t out_of(uint32_t id, uint32_t packet) const {
    return nodes_[buffers_[id].element].first_port + static_cast<uint32_t>(packets_[packet].out_port);
  }
  /// A VC of a port of an element, as SetAsideQueues numbers inputs and outputs.
  uint32_t plane_of(uint32_t port, uint32_t vc) const { return (port << vc_shift_) + vc; }
  int32_t output_plane(const PacketRecord& packet) const;
  void sort_in(uint32_t id);
  void enter_queue(uint32_t id, int32_t number, uint32_t packet);
  void expect_output(uint32_t id, uint32_t slot);
  void expect_nothing(uint32_t id, uint32_t slot);
  void read_queues(uint32_t id);
  void arbitrate_queues(uint32_t out);
  void gather_queues(uint32_t out);
  int32_t choose_vc(uint32_t out, const Head& head, uint32_t& reserved);
  bool admits(const PortRecord& port, uint32_t vc, const PacketRecord& packet, bool cold);
  int32_t next_queue(const PortRecord& port, uint32_t vc, const PacketRecord& packet);
  void forward_head(uint32_t out, const Head& head, uint32_t out_vc);
  void count_sent(const PortRecord& port, uint32_t vc, const PacketRecord& packet);
  void return_credit(uint32_t id, int64_t time, int32_t number, int32_t bytes);
  PacketRecord next_of_host(int32_t host, int32_t port, int32_t destination, int32_t bytes, uint32_t queue_pair) const;
  int32_t space_in_queue(const PortRecord& out, const PacketRecord& packet);
  void set_aside(uint32_t id);
  void left_queue(uint32_t id, int32_t number);
  void tell_neighbours(uint32_t element, int32_t in_use);
  void expect_notice(const buffer::SetAsideNotice& notice);
  void take_notices(uint32_t id);

  uint32_t first_vc(uint32_t port) const { return port << vc_shift_; }
  /// The record that holds what concerns all buffers of the port of buffer `id`.
  BufferRecord& first_of(uint32_t id) { return buffers_[id >> vc_shift_ << vc_shift_]; }
  /// What `port` knows of the buffer of a VC at the other end of its link.
  BufferRecord& credits_of(const PortRecord& port, uint32_t vc) { return buffers_[first_vc(port.credit_port) + vc]; }
  /// The number of the packet in a buffer in the masks of waiting inputs.
  uint32_t input_of(const NodeRecord& node, uint32_t id) const { return id - first_vc(node.first_port); }
  int32_t vc_index(uint32_t id) const { return static_cast<int32_t>(id & ((uint32_t{1} << vc_shift_) - 1)); }
  uint32_t all_vcs() const { return vcs_ >= 32 ? ~uint32_t{0} : (uint32_t{1} << vcs_) - 1; }

  std::shared_ptr<Tables> tables_;
  // Views of the tables.
  std::span<NodeRecord> nodes_;
  std::span<PortRecord> ports_;
  std::span<BufferRecord> buffers_;
  std::span<uint64_t> waits_;
  std::span<const LinkKind> links_;

  std::shared_ptr<const routing::RoutingAlgorithm> routing_;
  bool deterministic_;  ///< A packet has one route, whatever the load.
  bool queue_pairs_;
  bool several_host_ports_;
  bool large_;  ///< There are more records than caches hold.
  uint32_t vcs_;
  int vc_shift_;  ///< Records of the VCs of a port are 2^vc_shift_ apart.
  int64_t pipeline_;
  int64_t credit_delay_;
  int64_t routing_block_;
  int32_t hosts_;
  uint32_t first_router_port_;  ///< Ports of hosts come before it.
  uint64_t seed_;
  bool flows_in_order_;
  bool ties_by_flow_;  ///< All packets from one host to another have one random number.
  LinkTiming timing_;
  fabric::Client* client_;
  Observer* observer_ = nullptr;
  BufferMeter* meter_ = nullptr;
  bool watched_ = false;  ///< By either, or by a scheme of congestion management.

  // Congestion management and pause: queues.cpp.
  bool shared_;   ///< Routers have a queue for each output, and pause their senders.
  bool counted_;  ///< What waits for an output is counted.
  std::unique_ptr<congestion::SwitchSide> manager_;
  uint32_t first_managed_;  ///< Elements from this one on tell it what leaves.
  bool telemetry_;
  kernel::Pool<congestion::PathRecord> paths_;
  uint64_t pauses_ = 0;
  uint64_t paused_fs_ = 0;      ///< Ends less beginnings of pauses of outputs.
  int64_t paused_outputs_ = 0;  ///< How many are paused now.

  // Faults: faults.cpp.
  bool faulty_ = false;
  std::vector<uint32_t> waiting_;  ///< Buffers whose packets decide anew.

  // Notices of hot outputs: notices.cpp.
  std::optional<NoticeSpec> noticing_;
  enum Looking : uint8_t { kIdle, kUnchanged, kChanged };
  bool looks_ = false;            ///< `looking_` is used.
  std::vector<Looking> looking_;  ///< By element: whether it will look, and whether something has moved since it did.
  std::vector<int64_t> hot_;      ///< By port of a router: flits that neighbours have last been told of.
  absl::flat_hash_map<uint64_t, int64_t> told_;  ///< By element and port.
  kernel::Pool<Outbox::Notice> notices_;

  std::vector<kernel::SentWindow> sent_;  ///< By port: what was sent in a round trip, if routing asks for it.

  // Queues of a scheme: queue_schemes.cpp.
  buffer::InputQueues* queued_;  ///< Null if each VC of an input has one queue.
  bool lines_;                   ///< Channels have configurations of their own.
  bool sorted_;                  ///< Packets do not wait in the buffers that they arrive in, but in queues.
  int32_t least_packet_;
  std::vector<Head> heads_;
  std::vector<buffer::SetAsideChange> set_aside_changes_;
  buffer::SetAsideCount* set_aside_count_ = nullptr;

  bool by_owner_;      ///< Elements are processed one after the other in a window; otherwise all events in time order.
  bool only_;          ///< There is one shard.
  bool ends_ = false;  ///< See end_with_client().
  event::Queue events_;
  uint64_t fetched_sort_ = 0;        ///< The sort to which the counts in `fetched_` belong.
  std::array<size_t, 4> fetched_{};  ///< How many of its events each stage of prefetching has covered.
  bool stopping_ = false;            ///< The client has asked to end the run.
  int64_t stop_at_ = 0;              ///< The end of the window in which it did, or in the order of time of that time.
  bool stopped_ = false;
  int64_t now_ = 0;
  int64_t latest_ = 0;  ///< Latest time simulated: within a window, elements come one after the other.
  int64_t next_ = event::Queue::kNever;
  bool processing_ = false;
  bool alone_ = false;  ///< Nothing else happens at this time, so decisions can be taken at once.

  kernel::Pool<PacketRecord> packets_;
  kernel::Pool<ReturnRecord> returns_;
  std::vector<Outbox> outboxes_;    ///< By shard, in two sets.
  size_t boxes_ = 0;                ///< Index of the set that is being filled.
  std::vector<uint32_t> dirty_;     ///< Elements with dirty ports.
  std::vector<uint32_t> asides_;    ///< Packets that arrive aside now.
  std::vector<uint32_t> arriving_;  ///< VCs of hosts at which packets arrive now.
  std::vector<Candidate> candidates_;
  routing::RouteOptions options_;
  uint64_t hops_ = 0;
  uint64_t in_flight_ = 0;
  fabric::EarliestFailure failure_;
};

}  // namespace fabrictwin::router::packet

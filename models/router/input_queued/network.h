// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Input-queued routers, their links and their hosts, cycle by cycle.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "cosim/base/clock.h"
#include "cosim/base/fifo.h"
#include "models/congestion/queues/set_aside.h"
#include "models/kernel/input_meter.h"
#include "models/kernel/sent_window.h"
#include "models/kernel/timing_wheel.h"
#include "models/router/input_queued/link.h"
#include "models/router/input_queued/link_rate.h"
#include "models/router/input_queued/next_queues.h"
#include "models/router/input_queued/observer.h"
#include "models/router/input_queued/packet.h"
#include "models/router/input_queued/router.h"
#include "models/router/input_queued/traffic.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::router::input_queued {

/// The network. A flit is a number, and a link is only a delay: arrivals lie in lists, one for each cycle to come, and
/// once they have been put into the buffers only routers and hosts with work are stepped. So the cost is that of flits
/// that move; idle cycles and idle routers cost nothing. Nothing is allocated once the packet table and the lists have
/// grown to what the traffic needs. Elements cannot see each other within a cycle, as every link takes at least one:
/// their order does not matter unless routing looks at the load of other routers. Routers are stepped in the order of
/// their numbers. Not thread-safe.
class Network : public routing::CongestionView {
 public:
  static constexpr int32_t kMaxPorts = 64;          ///< The most ports of a router.
  static constexpr int32_t kMaxVcs = 32;            ///< The most VCs of a port.
  static constexpr int32_t kMaxVcNumbers = 512;     ///< Ports of a router times VCs, the latter a power of two,
  static constexpr int32_t kMaxQueues = 2048;       ///< and if each VC has several queues, times these.
  static constexpr int32_t kMaxSourceQueues = 64;   ///< The most queues of a host that traffic has.
  static constexpr int32_t kMaxElements = 1 << 21;  ///< The most routers, and the most hosts.
  struct Config {
    RouterSpec router;
    int32_t routers = 0;
    int32_t hosts = 0;
    /// A host returns the credits of a packet when Traffic::free_from() says, not flit by flit. Requires that each
    /// buffer can hold a packet.
    bool hold_packets = false;
    /// Queues in which packets wait at each host, 1 to kMaxSourceQueues. Each sends a packet on a VC of its own; their
    /// flits take turns on the link of the host. The queues of BookSim2's classes of traffic are such.
    int32_t source_queues = 1;
    /// VCs by which hosts send, the first ones of a port; 0: all of them.
    int32_t host_vcs = 0;
    /// If set, what waits in the inputs of routers is counted; the clock is that of the routers.
    std::optional<Clock> count_inputs;
    std::vector<Link> links;  ///< Each host has one link, to a router.
    std::shared_ptr<const routing::RoutingAlgorithm> routing;
  };

  /// InvalidArgument if the network is too large to be simulated: "router[3] has 65 ports, and 64 is the most".
  static absl::Status check_size(const Config& config);
  /// InvalidArgument if the VCs do not fit. The network must pass check_size().
  static absl::Status check_vcs(const Config& config);
  /// The ports of the router that has most.
  static int32_t most_ports(const Config& config);
  /// Begins at cycle 0. `config` passes both checks; `traffic` and `observer`, which may be null, outlive the network.
  Network(Config config, Traffic& traffic, Observer* observer = nullptr);
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  /// The first cycle, not before the last one simulated, in which something happens, or Traffic::kNever.
  int64_t next_cycle() const;
  /// The first cycle that has not been simulated.
  int64_t cycle() const { return cycle_; }
  /// Simulates one cycle, which is at most next_cycle() and after the last one.
  void step(int64_t cycle);

  /// Asks the traffic for a packet of a host in `cycle`, which has not been simulated.
  void wake_host(int32_t host, int64_t cycle) { wakes_.add(cycle, host); }
  /// Wakes a host in the cycle that is being simulated; for calls from Traffic up to settle().
  void wake_host_now(int32_t host) { activate(now_, static_cast<uint32_t>(config_.routers + host)); }
  /// Flits of the largest packet for which a host has the credits now.
  int32_t host_space(int32_t host) const;

  /// A flit, or a credit for one, that is for another partition.
  struct Departure {
    int64_t cycle = 0;  ///< When it arrives there.
    End from;           ///< The port here of the link that it takes.
    int32_t vc = 0;
    uint32_t packet = 0;  ///< Its number in packets(); of a credit nothing.
    bool head = false;
    bool tail = false;
    int32_t credits = 0;                                                ///< More than 0: it is so many credits.
    std::optional<congestion::SetAsideMessage> message = std::nullopt;  ///< If set, it is this message and no flit.
  };
  /// Declares before the first step() that what is at the other end of the link of a port of a router is in another
  /// partition: what leaves by it is among departures(), and nothing arrives but by the calls below.
  void cut(End end);
  /// What has been sent to other partitions since whoever reads this cleared it, in no order. The packet of a tail is
  /// to be dropped.
  std::vector<Departure>& departures() { return departures_; }
  const Packet& packet(uint32_t number) const { return packets_[number]; }
  void drop_packet(uint32_t number) {
    packets_[number].in_network = false;
    free_packets_.push_back(number);
  }
  /// A packet of another partition comes here; returns its number.
  uint32_t enter_packet(const Packet& packet);
  /// A flit of it, or a credit, arrives at a port with cut() in `cycle`: not simulated, and less than horizon() ahead.
  void arrive_flit(int64_t cycle, End at, int32_t vc, uint32_t packet, bool head);
  void arrive_credit(int64_t cycle, End at, int32_t vc);
  /// A message of set-aside queues arrives there, where there are such queues.
  void arrive_message(int64_t cycle, End at, congestion::SetAsideMessage message);
  /// The cycles from a flit's being on the link of a port with cut() until it has arrived.
  int64_t link_latency(End at) const;
  /// How many cycles ahead of cycle() arrivals may be.
  int64_t horizon() const { return mask_; }

  const Config& config() const { return config_; }
  /// Flits that have left routers on any port: what "flit-hop" means here.
  uint64_t flit_hops() const { return flit_hops_; }
  /// How often routers have been stepped.
  uint64_t router_steps() const { return router_steps_; }
  /// Packets and flits that a host has received.
  uint64_t packets_received(int32_t host) const { return hosts_[host].packets_received; }
  uint64_t flits_received(int32_t host) const { return hosts_[host].flits_received; }
  /// Flits and packets (counted by their tails) that have started on the wire before `cycle`, from a port of a router
  /// or from a host (port -1). `cycle` is at most one after the last one simulated: later departures are not known.
  uint64_t flits_sent(End from, int64_t cycle) const;
  uint64_t packets_sent(End from, int64_t cycle) const;
  /// Cycles in which a flit at a port of a router waited only for credits.
  uint64_t stall_cycles(int32_t router, int32_t port) const;
  /// Credits held for an output VC of a router, and flits in an input VC.
  int32_t credits(int32_t router, int32_t port, int32_t vc) const;
  int32_t flits(int32_t router, int32_t port, int32_t vc) const;
  int64_t queue(int32_t router, int32_t port) const override;
  int64_t waiting(int32_t router, int32_t port) const override;
  int32_t routers() const { return config_.routers; }
  /// Flits in the input buffers of a router, and the total capacity of these buffers.
  int64_t flits_in(int32_t router) const;
  /// Flits in the input buffers of the port of a router that has most.
  int64_t fullest_input() const;
  /// What has waited in inputs, if that is counted, otherwise null.
  const kernel::InputMeter* input_meter() const { return input_meter_.get(); }
  /// The input that has a number there.
  End input(size_t number) const;
  int64_t capacity(int32_t router) const;
  /// Credits that a host holds for a VC of its router.
  int32_t host_credits(int32_t host, int32_t vc) const { return host_vcs_[host_vc(host, vc)].credits; }
  /// Packets that have begun to leave their host and have not arrived.
  uint64_t packets_in_flight() const { return packets_.size() - free_packets_.size() - waiting_packets_; }
  /// Queues that are set aside, in all inputs.
  struct SetAsideUse {
    int64_t now = 0;
    int64_t most = 0;       ///< At a time.
    int64_t released = -1;  ///< The cycle in which the last one was released; -1 if none was.
  };
  const SetAsideUse& set_aside_use() const { return set_aside_use_; }
  /// By how many the queues that a router has set aside have changed in a cycle.
  struct SetAsideChange {
    int64_t cycle = 0;
    int32_t change = 0;
  };
  /// All of them, by cycle, where links are cut().
  const std::vector<SetAsideChange>& set_aside_changes() const { return set_aside_changes_; }
  struct InFlight {
    uint64_t flits = 0;
    uint64_t age = 0;  ///< Sum over flits of the cycles since their packet was created.
  };
  /// Flits of packets that have begun to leave their host and have not arrived.
  InFlight in_flight(int64_t cycle) const;
  /// "router[3], port 1, VC 0: ..." once a flit has broken the contract; empty otherwise.
  const std::string& failure() const { return failure_; }

 private:
  static constexpr int kVcBits = 11;
  static constexpr uint32_t kVcMask = (1u << kVcBits) - 1;
  static constexpr uint16_t kElsewhere = 2;
  /// One end of a link: what is at the other end, and what has been sent there.
  struct Output {
    uint32_t element = 0;     ///< Router or host.
    int16_t vc_shift = 0;     ///< To be added to a VC number here for the one at the other end.
    uint16_t flit_delay = 0;  ///< Cycles from a flit's departure from switch or host to its arrival at the other end.
    uint16_t credit_delay = 0;
    uint16_t host = 0;   ///< 1 if the other end is a host, 0 if it is a router, kElsewhere if that is elsewhere.
    uint64_t flits = 0;  ///< Flits that have left the switch or host.
    uint64_t packets = 0;
  };
  /// A flit that has left the switch and waits for the wire.
  struct Queued {
    int64_t start = 0;
    bool tail = false;
  };
  /// When a wire is free for flits, and the earliest cycle for a credit. Only needed with internal speed-up and for
  /// hosts with slow links.
  struct Wire {
    LinkRate flits;
    int64_t credit = 0;
    Fifo<Queued> queued;  ///< In the order in which they start; some may have started.
  };
  struct Flit {
    uint32_t where = 0;  ///< Router or host, and its VC number.
    uint32_t flit = 0;   ///< Packet number, and whether the flit is the head.
  };
  /// Credits of a packet that its host still holds.
  struct Held {
    int64_t cycle = 0;  ///< When they are returned.
    int32_t host = 0;
    int32_t vc = 0;
    int32_t flits = 0;
    auto operator<=>(const Held&) const = default;
  };
  /// A message between set-aside queues.
  struct Message {
    uint32_t element = 0;  ///< Who gets it: a router, or a host.
    bool host = false;
    congestion::SetAsideMessage content;
  };
  /// What arrives in a cycle, at routers and at hosts. A credit is the number of an element and of its VC.
  struct Arrivals {
    std::array<std::vector<Flit>, 2> flits;
    std::array<std::vector<uint32_t>, 2> credits;
    std::vector<Message> messages;
    bool empty() const {
      return flits[0].empty() && flits[1].empty() && credits[0].empty() && credits[1].empty() && messages.empty();
    }
  };
  /// A queue of packets at a host.
  struct SourceQueue {
    int64_t wake = 0;  ///< There is no packet before this cycle.
    uint32_t packet = 0;
    int32_t left = 0;  ///< Flits of `packet` that have not left.
    int32_t vc = -1;   ///< VC of the last packet.
  };
  /// A host, with its only queue, which is unused if it has several.
  struct Host : SourceQueue {
    uint64_t flits_received = 0;
    uint64_t packets_received = 0;
    int16_t turn = 0;   ///< The queue whose turn it is.
    bool slow = false;  ///< Its link is slower than the clock.
  };
  struct HostVc {
    int32_t credits = 0;
    int32_t capacity = 0;  ///< Flits of the buffer behind it.
    uint32_t packet = 0;   ///< The packet that is arriving.
    int32_t left = 0;      ///< Flits of it that have not arrived.
    bool taken = false;    ///< A packet of one of several queues of the host is leaving by it.
  };
  /// Packets that wait in a host behind each other, the first of which may have begun to leave.
  struct HostQueue : SourceQueue {
    Fifo<uint32_t> packets;  ///< Without that one.
  };
  /// The queues of a host that are not empty, by destination or by the queue of its router, and whose turn it is.
  struct HostQueues {
    std::map<int32_t, HostQueue> queues;
    int32_t next = 0;
  };
  using Routers =
      std::variant<std::vector<Router<16>>, std::vector<Router<64>>, std::vector<Router<128>>, std::vector<Router<256>>,
                   std::vector<Router<512>>, std::vector<Router<1024>>, std::vector<Router<2048>>>;

  size_t index(End end) const {
    return static_cast<size_t>(end.port < 0 ? first_output_.back() + end.element
                                            : first_output_[end.element] + end.port);
  }
  size_t host_vc(int32_t host, int32_t vc) const {
    return static_cast<size_t>(host) * static_cast<size_t>(config_.router.vcs) + static_cast<size_t>(vc);
  }
  void count_sent();
  void count_arrivals(int64_t cycle, const std::vector<Flit>& arrivals);
  static std::vector<int32_t> first_outputs(const Config& config);
  static absl::Status check_queues(const Config& config);
  template <int kVcs>
  void make_routers(const std::vector<PortSpec>& ports);
  void make_routers(const std::vector<PortSpec>& ports);
  void connect(const Link& link, std::vector<PortSpec>& ports);
  void make_queues();
  template <typename Router>
  void step_all(int64_t cycle, std::vector<Router>& routers);
  void forward(int64_t cycle, int32_t router, const FlitDeparture& departure);
  void step_host(int64_t cycle, int32_t index);
  template <typename Router>
  void receive(int64_t cycle, Arrivals& arrivals, std::vector<Router>& routers);
  void receive_at_host(int64_t cycle, int32_t index, int32_t vc, uint32_t flit);
  void step_source_queues(int64_t cycle, int32_t index);
  void step_host_queues(int64_t cycle, int32_t index);
  void admit_packets(int64_t cycle, int32_t index);
  bool begin_packet(int64_t cycle, int32_t index, int32_t number, SourceQueue& queue);
  /// Asks the traffic for the next packet of a source queue; false if there is none now.
  bool take_packet(int64_t cycle, int32_t index, int32_t number, SourceQueue& queue, Packet& packet);
  /// Sends the next flit of the packet of a queue, if its link and a VC are free for it.
  bool send_from(int64_t cycle, int32_t index, SourceQueue& queue);
  bool waits_for_link(int64_t cycle, int32_t index);
  void send_flit(int64_t cycle, int32_t index, SourceQueue& queue, bool head);
  /// Chooses the VC of the next packet of a queue, none that another one uses; false if there is none.
  bool choose_vc(SourceQueue& queue, int32_t index);
  SourceQueue& source_queue(int32_t host, int32_t number) {
    if (config_.source_queues == 1) return hosts_[host];
    return source_queues_[static_cast<size_t>(host) * static_cast<size_t>(config_.source_queues) +
                          static_cast<size_t>(number)];
  }
  template <typename Router>
  void receive_messages(int64_t cycle, Arrivals& arrivals, std::vector<Router>& routers);
  void send_messages(int64_t cycle, const End& from, std::vector<congestion::SetAsideMessage>& outbox);
  /// Sends what the set-aside queues of a router have to say, and counts them.
  void settle_set_aside(int64_t cycle, int32_t router, congestion::SetAsideQueues& queues);
  /// VCs by which hosts send.
  int32_t vcs_of_hosts() const { return config_.host_vcs > 0 ? config_.host_vcs : config_.router.vcs; }
  /// The credits that a VC must have before a host sends the head of a packet on it.
  int32_t credits_for_head(const HostVc& vc, int32_t flits) const;
  void return_held(int64_t cycle);
  void leave_flit(int64_t cycle, const Output& output, uint32_t packet, int32_t vc, bool head);
  void leave_credits(int64_t cycle, const Output& output, int32_t vc, int32_t count);
  void put_flit(int64_t cycle, const Output& output, uint32_t packet, int32_t vc, bool head) {
    if (output.host == kElsewhere) [[unlikely]]
      return leave_flit(cycle, output, packet, vc, head);
    arrivals_[static_cast<size_t>((cycle + output.flit_delay) & mask_)].flits[output.host].push_back(
        {output.element << kVcBits | static_cast<uint32_t>(vc + output.vc_shift), packet << 1 | (head ? 1u : 0u)});
  }
  void put_credit(int64_t cycle, const Output& output, int32_t vc) {
    if (output.host == kElsewhere) [[unlikely]]
      return leave_credits(cycle, output, vc, 1);
    arrivals_[static_cast<size_t>((cycle + output.credit_delay) & mask_)].credits[output.host].push_back(
        output.element << kVcBits | static_cast<uint32_t>(vc + output.vc_shift));
  }
  void put_credits(int64_t cycle, const Output& output, int32_t vc, int32_t count) {
    if (output.host == kElsewhere) return leave_credits(cycle, output, vc, count);
    for (int32_t credit = 0; credit < count; ++credit) put_credit(cycle, output, vc);
  }
  static void activate(std::vector<uint64_t>& set, uint32_t element) {
    set[element / 64] |= kernel::bit(static_cast<int32_t>(element % 64));
  }
  void activate_next(uint32_t element) {
    activate(next_, element);
    any_next_ = true;
  }
  uint32_t new_packet();

  Config config_;
  Traffic& traffic_;
  Observer* observer_;
  std::vector<Packet> packets_;
  std::vector<uint32_t> free_packets_;
  routing::RouteOptions options_;
  std::vector<int32_t>
      first_output_;  ///< By router, with one more at the end: ports of routers come first, then hosts.
  Routers routers_;
  std::vector<Host> hosts_;
  std::vector<SourceQueue> source_queues_;  ///< By host and number; empty if each host has one.
  std::vector<HostVc> host_vcs_;            ///< By host_vc().
  std::vector<Output> outputs_;             ///< By index().
  std::vector<Wire> wires_;                 ///< By index(); empty where nothing has to wait for a wire.
  std::vector<kernel::SentWindow>
      sent_;  ///< By index(): what routers have sent in a round trip, if routing asks for it.

  std::vector<int32_t> steps_;        ///< Routers with work in this cycle.
  std::vector<SwitchGrant> winners_;  ///< Grants of the switches in the current pass of this cycle.
  std::vector<Arrivals> arrivals_;    ///< By cycle, modulo a power of two.
  int64_t mask_ = 0;                  ///< The size of arrivals_ less one.
  std::vector<uint64_t> now_;         ///< Elements with work in this cycle and in the next, one bit each.
  std::vector<uint64_t> next_;        ///< Routers come first, then hosts.
  bool any_next_ = false;
  std::priority_queue<Held, std::vector<Held>, std::greater<>> held_;
  kernel::TimingWheel wakes_;  ///< Hosts that wait for their next packet.
  int64_t cycle_ = 0;          ///< Everything before this cycle has been simulated.

  std::unique_ptr<kernel::InputMeter> input_meter_;         ///< By index(), of routers; null if nothing is counted.
  std::unique_ptr<NextQueues> next_queues_;                 ///< If VCs have several queues.
  std::vector<HostQueues> host_queues_;                     ///< By host; empty if each has one.
  uint64_t waiting_packets_ = 0;                            ///< Packets in these queues that have not begun to leave.
  std::vector<congestion::SetAsideQueues> host_set_aside_;  ///< By host; empty if nothing is set aside.
  std::vector<int32_t> set_aside_;                          ///< By router: queues in use.
  SetAsideUse set_aside_use_;
  bool keeps_changes_ = false;  ///< Links are cut, and only the whole run knows which changes are before its end.
  std::vector<SetAsideChange> set_aside_changes_;

  std::vector<Departure> departures_;
  uint64_t flit_hops_ = 0;
  uint64_t router_steps_ = 0;
  std::string failure_;
};

}  // namespace fabrictwin::router::input_queued

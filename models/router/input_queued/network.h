// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Input-queued routers, their links and their hosts, cycle by cycle.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "cosim/base/fifo.h"
#include "models/iq_observer.h"
#include "models/iq_pace.h"
#include "models/iq_packet.h"
#include "models/iq_router.h"
#include "models/routing/routing_algorithm.h"
#include "models/timing_wheel.h"

namespace fabrictwin {

/// What the hosts of an IqNetwork send and receive.
class IqTraffic {
 public:
  static constexpr int64_t kNever = TimingWheel::kNever;
  virtual ~IqTraffic() = default;
  /// The next packet of a host, asked for when all before it have left. If it exists at `cycle`, fills source,
  /// destination, flits, created and whatever the traffic wants to see again, and returns `cycle`; if not, returns when
  /// to ask again, or kNever.
  virtual int64_t next_packet(int32_t host, int64_t cycle, IqPacket& packet) = 0;
  /// The last flit of a packet has arrived.
  virtual void packet_arrived(const IqPacket& packet, int64_t cycle) = 0;
  /// Asked after packet_arrived(): the later cycle in which the packet's source has its next packet, if next_packet()
  /// said kNever and that has changed; else kNever.
  virtual int64_t resume_source(const IqPacket& packet, int64_t cycle) {
    (void)packet;
    (void)cycle;
    return kNever;
  }
};

/// One end of a link: a port of a router, or a host (port -1).
struct IqEnd {
  int32_t element = 0;  ///< Router or host, by number.
  int32_t port = -1;
};

/// A full-duplex link. A flit that leaves a router or host in a cycle arrives 1 + latency cycles later, and so does a
/// credit.
struct IqLink {
  IqEnd ends[2];
  int32_t latency = 1;               ///< Cycles, 0 to kMaxLatency.
  int32_t buffer_flits[2] = {0, 0};  ///< Of each VC at each end; 0: as the routers' specification says.
  IqPace pace{};                     ///< Of flits, in each direction.
  static constexpr int32_t kMaxLatency = 1024;
};

/// The network. A flit is a number, and a link no more than a delay: what arrives lies in lists, one for each cycle to
/// come, and after it has been put into the buffers only routers and hosts with something to do are stepped. So the
/// cost is that of flits that move; idle cycles and idle routers cost nothing. Nothing is allocated once packet table
/// and lists have grown to what the traffic needs. Elements that share a cycle cannot see each other, as every link
/// takes at least a cycle: their order has no meaning, unless routing looks at the load of other routers. Those are
/// stepped in the order of their numbers. Not thread-safe.
class IqNetwork : public CongestionView {
 public:
  static constexpr int32_t kMaxPorts = 64;       ///< Of a router.
  static constexpr int32_t kMaxVcs = 32;         ///< Of a port.
  static constexpr int32_t kMaxVcNumbers = 512;  ///< Ports of a router times VCs, these rounded up to a power of two.
  static constexpr int32_t kMaxElements = 1 << 23;  ///< Routers, and hosts.
  struct Config {
    IqRouterSpec router;
    int32_t routers = 0;
    int32_t hosts = 0;
    std::vector<IqLink> links;  ///< Each host has one link, to a router.
    std::shared_ptr<const RoutingAlgorithm> routing;
  };

  /// What cannot be simulated: "router[3] has 65 ports, and 64 is the most".
  static absl::Status check_size(const Config& config);
  /// The same of the VCs of a network that passes check_size().
  static absl::Status check_vcs(const Config& config);
  /// Begins at cycle 0. `config` passes both checks; `traffic` outlives the network, and so does `observer`, which may
  /// be null.
  IqNetwork(Config config, IqTraffic& traffic, IqObserver* observer = nullptr);
  IqNetwork(const IqNetwork&) = delete;
  IqNetwork& operator=(const IqNetwork&) = delete;

  /// The first cycle not before the last one simulated in which something happens, or IqTraffic::kNever.
  int64_t next_cycle() const;
  /// Simulates one cycle, which is at most next_cycle() and after the last one.
  void step(int64_t cycle);

  /// Flits that have left routers, to anywhere: what "flit-hop" means here.
  uint64_t flit_hops() const { return flit_hops_; }
  /// Steps of routers.
  uint64_t router_steps() const { return router_steps_; }
  /// Packets and flits that a host has received.
  uint64_t packets_received(int32_t host) const { return hosts_[host].packets_received; }
  uint64_t flits_received(int32_t host) const { return hosts_[host].flits_received; }
  /// Flits and packets (their tails) that have started on the wire before `cycle`, from a port of a router or a host
  /// (port -1). `cycle` is after the last one simulated; what is to leave in later ones than that is not known.
  uint64_t flits_sent(IqEnd from, int64_t cycle) const;
  uint64_t packets_sent(IqEnd from, int64_t cycle) const;
  /// Cycles in which a flit at a port of a router waited only for credits.
  uint64_t stall_cycles(int32_t router, int32_t port) const;
  /// Free places behind an output VC of a router, and flits in an input VC.
  int32_t credits(int32_t router, int32_t port, int32_t vc) const;
  int32_t flits(int32_t router, int32_t port, int32_t vc) const;
  int64_t queue(int32_t router, int32_t port) const override;
  int32_t routers() const { return config_.routers; }
  /// Flits in the input buffers of a router, and those that these have room for.
  int64_t flits_in(int32_t router) const;
  int64_t capacity(int32_t router) const;
  /// Free places that a host sees in a VC of its router.
  int32_t host_credits(int32_t host, int32_t vc) const { return host_vcs_[host_vc(host, vc)].credits; }
  struct InFlight {
    uint64_t flits = 0;
    uint64_t age = 0;  ///< Sum over flits of the cycles since their packet was created.
  };
  /// Flits of packets that have begun to leave their host, and have not arrived.
  InFlight in_flight(int64_t cycle) const;
  /// "router[3], port 1, VC 0: ..." once a flit broke the contract; empty otherwise.
  const std::string& failure() const { return failure_; }

 private:
  static constexpr int kVcBits = 9;
  static constexpr uint32_t kVcMask = (1u << kVcBits) - 1;
  /// One end of a link: what is at the other, and what has been sent there.
  struct Place {
    uint32_t element = 0;     ///< Router or host.
    int16_t vc_shift = 0;     ///< From VC numbers here to those there.
    uint16_t flit_delay = 0;  ///< From a flit's leaving the switch, or host, until it is there.
    uint16_t credit_delay = 0;
    uint16_t host = 0;   ///< 1: a host.
    uint64_t flits = 0;  ///< That left the switch, or host.
    uint64_t packets = 0;
  };
  /// A flit that has left the switch and waits for its wire.
  struct Queued {
    int64_t start = 0;
    bool tail = false;
  };
  /// When a wire is free for flits, and the earliest cycle for a credit. Only with internal speed-up, and for hosts
  /// with slow links.
  struct Wire {
    IqPace flits;
    int64_t credit = 0;
    Fifo<Queued> queued;  ///< In the order in which they start; some may have started.
  };
  struct Flit {
    uint32_t where = 0;  ///< Router or host, and VC number there.
    uint32_t flit = 0;   ///< Packet, and whether it is the head.
  };
  /// What arrives in a cycle, at routers and at hosts. A credit is the number of an element and of its VC.
  struct Arrivals {
    std::array<std::vector<Flit>, 2> flits;
    std::array<std::vector<uint32_t>, 2> credits;
    bool empty() const { return flits[0].empty() && flits[1].empty() && credits[0].empty() && credits[1].empty(); }
  };
  struct Host {
    uint64_t flits_received = 0;
    uint64_t packets_received = 0;
    int64_t wake = 0;  ///< Before which there is no packet.
    uint32_t packet = 0;
    int32_t left = 0;   ///< Flits of `packet` that have not left.
    int32_t vc = -1;    ///< Of the last packet.
    bool slow = false;  ///< Its link is slower than the clock.
  };
  struct HostVc {
    int32_t credits = 0;
    int32_t capacity = 0;  ///< Of the buffer behind it.
    uint32_t packet = 0;   ///< That arrives.
    int32_t left = 0;      ///< Flits of it that have not come.
  };
  using Routers = std::variant<std::vector<IqRouter<16>>, std::vector<IqRouter<64>>, std::vector<IqRouter<128>>,
                               std::vector<IqRouter<256>>, std::vector<IqRouter<512>>>;

  size_t index(IqEnd end) const {
    return static_cast<size_t>(end.port < 0 ? first_place_.back() + end.element : first_place_[end.element] + end.port);
  }
  size_t host_vc(int32_t host, int32_t vc) const {
    return static_cast<size_t>(host) * static_cast<size_t>(config_.router.vcs) + static_cast<size_t>(vc);
  }
  static std::vector<int32_t> first_places(const Config& config);
  template <int kVcs>
  void make_routers(const std::vector<IqPortSpec>& ports);
  void make_routers(const std::vector<IqPortSpec>& ports);
  void connect(const IqLink& link, std::vector<IqPortSpec>& ports);
  template <typename Router>
  void step_all(int64_t cycle, std::vector<Router>& routers);
  void forward(int64_t cycle, int32_t router, const IqDeparture& departure);
  void step_host(int64_t cycle, int32_t index);
  template <typename Router>
  void receive(int64_t cycle, Arrivals& arrivals, std::vector<Router>& routers);
  void receive_at_host(int64_t cycle, int32_t index, int32_t vc, uint32_t flit);
  bool begin_packet(int64_t cycle, int32_t index);
  bool choose_vc(Host& host, int32_t index) const;
  void put_flit(int64_t cycle, const Place& place, uint32_t packet, int32_t vc, bool head) {
    arrivals_[static_cast<size_t>((cycle + place.flit_delay) & mask_)].flits[place.host].push_back(
        {place.element << kVcBits | static_cast<uint32_t>(vc + place.vc_shift), packet << 1 | (head ? 1u : 0u)});
  }
  void put_credit(int64_t cycle, const Place& place, int32_t vc) {
    arrivals_[static_cast<size_t>((cycle + place.credit_delay) & mask_)].credits[place.host].push_back(
        place.element << kVcBits | static_cast<uint32_t>(vc + place.vc_shift));
  }
  static void activate(std::vector<uint64_t>& set, uint32_t element) {
    set[element / 64] |= bit(static_cast<int32_t>(element % 64));
  }
  void activate_next(uint32_t element) {
    activate(next_, element);
    any_next_ = true;
  }
  uint32_t new_packet();

  Config config_;
  IqTraffic& traffic_;
  IqObserver* observer_;
  std::vector<IqPacket> packets_;
  std::vector<uint32_t> free_packets_;
  RouteOptions options_;
  std::vector<int32_t> first_place_;  ///< By router, and one more: ports of routers come first, then hosts.
  Routers routers_;
  std::vector<Host> hosts_;
  std::vector<HostVc> host_vcs_;  ///< By host_vc().
  std::vector<Place> places_;     ///< By index().
  std::vector<Wire> wires_;       ///< By index(); empty where nobody has to wait for one.

  std::vector<int32_t> steps_;      ///< Routers with something to do in this cycle.
  std::vector<IqWinner> winners_;   ///< Of the switches, in this pass of this cycle.
  std::vector<Arrivals> arrivals_;  ///< By cycle, modulo a power of two.
  int64_t mask_ = 0;                ///< That less one.
  std::vector<uint64_t> now_;       ///< Elements with something to do, a bit each: in this cycle, and in the next.
  std::vector<uint64_t> next_;      ///< Routers come first, then hosts.
  bool any_next_ = false;
  TimingWheel wakes_;  ///< Hosts that wait for their next packet.
  int64_t cycle_ = 0;  ///< Before which everything has been simulated.

  uint64_t flit_hops_ = 0;
  uint64_t router_steps_ = 0;
  std::string failure_;
};

}  // namespace fabrictwin

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
#include <vector>

#include "models/iq_packet.h"
#include "models/iq_router.h"
#include "models/iq_routing.h"
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
  int32_t latency = 1;  ///< Cycles, 0 to kMaxLatency.
  static constexpr int32_t kMaxLatency = 1024;
};

/// The network. A flit is a number, and a link no more than a delay: what arrives lies in lists, one for each cycle to
/// come, and after it has been put into the buffers only routers and hosts with something to do are stepped. So the
/// cost is that of flits that move; idle cycles and idle routers cost nothing. Nothing is allocated once packet table
/// and lists have grown to what the traffic needs. Elements that share a cycle cannot see each other, as every link
/// takes at least a cycle: their order has no meaning. Not thread-safe.
class IqNetwork {
 public:
  struct Config {
    IqRouterSpec router;
    int32_t routers = 0;
    int32_t hosts = 0;
    std::vector<IqLink> links;  ///< Each host has one link, to a router.
    std::shared_ptr<const IqRouting> routing;
  };

  /// Begins at cycle 0. `traffic` outlives it.
  IqNetwork(Config config, IqTraffic& traffic);

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
  /// Flits and packets that a router has sent from a port, or a host (port -1).
  uint64_t flits_sent(IqEnd from) const { return sent_[index(from)].flits; }
  uint64_t packets_sent(IqEnd from) const { return sent_[index(from)].packets; }
  const IqRouter& router(int32_t index) const { return *routers_[index]; }
  /// Free places that a host sees in a VC of its router.
  int32_t host_credits(int32_t host, int32_t vc) const { return hosts_[host].credits[vc]; }
  struct InFlight {
    uint64_t flits = 0;
    uint64_t age = 0;  ///< Sum over flits of the cycles since their packet was created.
  };
  /// Flits of packets that have begun to leave their host, and have not arrived.
  InFlight in_flight(int64_t cycle) const;
  /// "router[3], port 1, VC 0: ..." once a flit broke the contract; empty otherwise.
  const std::string& failure() const { return failure_; }

 private:
  static constexpr int32_t kMaxVcs = 32;
  static constexpr int kPacketShift = 7;
  static constexpr int kVcBits = 6;
  static constexpr uint32_t kVcMask = (1u << kVcBits) - 1;
  /// What is at the other end of a link.
  struct Peer {
    uint32_t element = 0;     ///< Routers come first, then hosts.
    int16_t vc_shift = 0;     ///< From VC numbers here to those there.
    uint16_t flit_delay = 0;  ///< From a flit's leaving the switch, or host, until it is there.
    uint16_t credit_delay = 0;
    uint16_t host = 0;  ///< 1: a host.
  };
  struct Sent {
    uint64_t flits = 0;
    uint64_t packets = 0;
  };
  /// Earliest cycles in which a wire is free for flits and credits. Only with internal speed-up.
  struct Wire {
    int64_t flit = 0;
    int64_t credit = 0;
  };
  struct Receiving {
    uint32_t packet = 0;
    int32_t left = 0;  ///< Flits that have not come.
  };
  struct Flit {
    uint32_t element = 0;
    uint32_t flit = 0;  ///< Packet, VC there, and whether it is the head.
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
    uint32_t packet = 0;
    int32_t left = 0;  ///< Flits of `packet` that have not left.
    int32_t vc = -1;   ///< Of the last packet.
    int64_t wake = 0;  ///< Before which there is no packet.
    std::array<int32_t, kMaxVcs> credits{};
    std::array<Receiving, kMaxVcs> receiving{};
  };

  size_t index(IqEnd end) const {
    return end.port < 0 ? static_cast<size_t>(config_.routers * config_.router.ports + end.element)
                        : static_cast<size_t>(end.element * config_.router.ports + end.port);
  }
  void connect(const IqLink& link);
  void step_router(int64_t cycle, int32_t index);
  void step_host(int64_t cycle, int32_t index);
  void receive(int64_t cycle, Arrivals& arrivals);
  void receive_at_host(int64_t cycle, int32_t index, uint32_t flit);
  bool begin_packet(int64_t cycle, int32_t index);
  bool choose_vc(Host& host) const;
  void put_flit(int64_t cycle, const Peer& peer, uint32_t packet, int32_t vc, bool head) {
    arrivals_[static_cast<size_t>((cycle + peer.flit_delay) & mask_)].flits[peer.host].push_back(
        {peer.element, packet << kPacketShift | static_cast<uint32_t>(vc + peer.vc_shift) << 1 | (head ? 1u : 0u)});
  }
  void put_credit(int64_t cycle, const Peer& peer, int32_t vc) {
    arrivals_[static_cast<size_t>((cycle + peer.credit_delay) & mask_)].credits[peer.host].push_back(
        peer.element << kVcBits | static_cast<uint32_t>(vc + peer.vc_shift));
  }
  static void activate(std::vector<uint64_t>& set, uint32_t element) {
    set[element / 64] |= iq_bit(static_cast<int32_t>(element % 64));
  }
  void activate_next(uint32_t element) {
    activate(next_, element);
    any_next_ = true;
  }
  uint32_t new_packet();

  Config config_;
  IqTraffic& traffic_;
  std::vector<IqPacket> packets_;
  std::vector<uint32_t> free_packets_;
  std::vector<std::unique_ptr<IqRouter>> routers_;
  std::vector<Host> hosts_;
  std::vector<Peer> peers_;  ///< By index().
  std::vector<Sent> sent_;   ///< By index().
  std::vector<Wire> wires_;  ///< By index().

  std::vector<Arrivals> arrivals_;  ///< By cycle, modulo a power of two.
  int64_t mask_ = 0;                ///< That less one.
  std::vector<uint64_t> now_;       ///< Elements with something to do, a bit each: in this cycle, and in the next.
  std::vector<uint64_t> next_;
  bool any_next_ = false;
  TimingWheel wakes_;  ///< Hosts that wait for their next packet.
  int64_t cycle_ = 0;  ///< Before which everything has been simulated.

  uint64_t flit_hops_ = 0;
  uint64_t router_steps_ = 0;
  std::string failure_;
};

}  // namespace fabrictwin

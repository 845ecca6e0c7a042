// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A network of input-queued routers behind the interface that all router models have.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "cosim/base/clock.h"
#include "cosim/observe/packet_trace.h"
#include "cosim/system/system_graph.h"
#include "models/fabric/client.h"
#include "models/fabric/fabric.h"
#include "models/kernel/pool.h"
#include "models/router/input_queued/cut_links.h"
#include "models/router/input_queued/network.h"
#include "models/router/input_queued/packet_crossing.h"
#include "models/router/input_queued/packet_follower.h"
#include "models/router/input_queued/packet_workload.h"

namespace fabrictwin::router::input_queued {

/// What a NetworkFabric is made of.
struct FabricConfig {
  Network::Config network;
  std::vector<End> sources;               ///< The end at which each channel of the graph begins, by channel.
  Clock clock{Frequency{1}};              ///< The clock of the routers.
  observe::PacketTrace* trace = nullptr;  ///< Outlives the fabric; null if no packets are followed.
  bool flows_in_order = false;            ///< Packets of a flow have the same tie bits, those of nic::flow_ties().
};

/// A Network as a Fabric. Derived classes know its hosts.
class NetworkFabric : public fabric::PacketFabric {
 public:
  bool stopped() const override { return stopped_; }
  bool failed() const override { return !network_->failure().empty() || !status_.ok(); }
  /// DataLoss if what has come from other partitions is wrong.
  const absl::Status& status() const { return status_; }
  /// Sends what is for other partitions, after the calls of run(), which take what has come from there.
  void send() {
    if (cut_ != nullptr) cut_->send();
  }
  /// Packets of which words are still to come from there.
  size_t packets_coming() const { return cut_ == nullptr ? 0 : cut_->packets_coming(); }
  fabric::EarliestFailure failure() const override;
  void update_counters(Time time, std::span<link::LinkCounters> counters) const override;
  uint64_t packet_hops() const override;
  /// See Network::flit_hops().
  uint64_t flit_hops() const { return network_->flit_hops(); }
  uint64_t events() const override { return network_->router_steps(); }
  uint64_t packets_in_flight() const override { return network_->packets_in_flight(); }
  int32_t routers() const override { return network_->routers(); }
  int64_t buffer_capacity() const override;
  observe::BufferFill buffer_fill() const override;
  /// The time of the last cycle simulated.
  Time now() const { return clock_.edge(cycle_); }
  const Network& network() const { return *network_; }

 protected:
  /// `traffic` outlives the fabric.
  NetworkFabric(FabricConfig config, Traffic& traffic);
  /// Joins the network to those of other partitions: see CutLinks.
  void join(const system::SystemGraph& graph, uint64_t seed, std::vector<run::CutPort> ports,
            PacketCrossing& crossing) {
    cut_ = std::make_unique<CutLinks>(clock_, graph, seed, std::move(ports), *network_, crossing);
  }
  /// The next cycle in which something happens here, as far as it is known here.
  int64_t next_cycle() const {
    const int64_t next = network_->next_cycle();
    return cut_ == nullptr ? next : std::min(next, cut_->next_cycle());
  }
  /// Simulates a cycle, which is at most next_cycle(), with what arrives in it from other partitions. False if that has
  /// failed.
  bool step(int64_t cycle);
  Time edge(int64_t cycle) const { return cycle == Traffic::kNever ? Time::never() : clock_.edge(cycle); }
  /// The first cycle at or after a time.
  int64_t cycle_at(Time time) const { return time.is_never() ? Traffic::kNever : clock_.edge_at_or_after(time); }

  Clock clock_;
  std::vector<End> sources_;
  bool flows_in_order_;
  std::unique_ptr<PacketFollower> follower_;
  std::unique_ptr<Network> network_;
  std::unique_ptr<CutLinks> cut_;  ///< Null if all elements are here.
  absl::Status status_;
  int64_t cycle_ = 0;  ///< Everything before this cycle has been simulated.
  bool stopped_ = false;
};

/// Hosts that are one workload of bare packets, which creates flits by the cycle: sweeps of synthetic traffic spend
/// their time in routers instead of in network interfaces.
class BareFabric final : public NetworkFabric {
 public:
  /// `workload` outlives the fabric.
  BareFabric(FabricConfig config, PacketWorkload& workload)
      : NetworkFabric(with_queues(std::move(config), workload), workload), workload_(workload) {}

  /// Joins the network to those of other partitions, before the first run(); it then does not stop. `here` says by
  /// number which hosts are here. `ports` have the numbers of routers as elements. `graph` outlives the fabric.
  void join(const system::SystemGraph& graph, std::vector<run::CutPort> ports, std::vector<bool> here);
  /// After join(): when the last packet arrived here, or the workload last looked at the network.
  Time finish_time() const { return edge(workload_.reached()); }
  Time next_time() const override;
  void run(Time until) override;

 private:
  static FabricConfig with_queues(FabricConfig config, const PacketWorkload& workload) {
    config.network.source_queues = workload.source_queues();
    return config;
  }

  PacketWorkload& workload_;
  std::optional<BareCrossing> crossing_;  ///< After join().
};

/// Hosts that are a Client: processes behind network interfaces. Each host uses one port. A packet of the network
/// interface is as many flits as its bytes fill. With virtual cut-through, its buffer at the receiving host is free
/// when the network interface says so; otherwise flits leave that buffer as they come.
class HostedFabric final : private Traffic, public NetworkFabric, public fabric::HostEdge {
 public:
  /// `client` outlives the fabric.
  HostedFabric(FabricConfig config, fabric::Client& client, uint64_t seed);

  /// Joins the network to those of other partitions, before the first run(); it then goes on when the hosts have
  /// nothing left to simulate. `ports` have the numbers of routers as elements. `graph` and `messages` outlive the
  /// fabric.
  void join(const system::SystemGraph& graph, std::vector<run::CutPort> ports, fabric::ForeignMessages& messages);
  /// After join(), in a run with work in the background: run() also ends when the hosts here have nothing left to
  /// simulate, with all that happens before stops(), and stopped() says so. It runs again after go_on(), whatever they
  /// have left.
  void end_with_hosts() { ends_ = true; }
  Time stops() const { return stops_; }
  void go_on() { ends_ = stopped_ = false; }

  Time next_time() const override;
  void run(Time until) override;

  void wake(int32_t host, int32_t port, int64_t at) override;
  void schedule(int32_t host, int64_t at, uint32_t id) override;
  int64_t duration(int32_t host, int32_t port, int32_t bytes) const override;

 private:
  struct Event {
    int64_t time = 0;
    int32_t host = 0;
    uint32_t id = 0;
    auto operator<=>(const Event&) const = default;
  };
  /// One host, as far as the network does not keep it.
  struct Host {
    int64_t ask = 0;       ///< The network interface has no packet before this cycle.
    uint64_t packets = 0;  ///< Packets that have begun to leave.
    LinkRate link;         ///< The rate of its link.
  };

  int64_t next_packet(int32_t host, int64_t cycle, Packet& packet) override;
  void packet_arrived(const Packet& packet, int64_t cycle) override;
  void settle(int64_t cycle) override;
  int64_t free_from(const Packet& packet, int64_t cycle) override;
  /// Ends what happens to hosts at this time.
  void settle();
  /// Makes the calls of all events up to now.
  void take_events();

  fabric::Client& client_;
  uint64_t seed_;
  int64_t now_ = 0;         ///< Femtoseconds.
  bool receiving_ = false;  ///< Hosts can still send in the cycle that is being simulated.
  bool happened_ = true;    ///< Something has happened to hosts since they were last settled.
  bool over_ = false;       ///< The hosts have nothing left to simulate.
  bool ends_ = false;       ///< See end_with_hosts().
  Time stops_;
  std::vector<Host> hosts_;
  kernel::Pool<nic::NicPacket> carried_;  ///< What packets of the network are to network interfaces, by handle.
  std::optional<NicCrossing> crossing_;   ///< After join().
  Time free_at_;                          ///< When the buffer of the packet that has just arrived is free.
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

}  // namespace fabrictwin::router::input_queued

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hosts with the driver and the model of the network interface, on a ring of routers or back to back.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/kernel/systemc_context.h"
#include "models/nic/exanet/driver/driver.h"
#include "models/nic/exanet/ni.h"
#include "models/router/exanet/fabric.h"
#include "models/routing/lattice/torus_routing.h"
#include "tests/models/nic/exanet/message_endpoint.h"

namespace fabrictwin::test {

class NiHosts {
 public:
  using Planned = MessageEndpoint::Planned;
  struct Options {
    Time link_latency = Time::from_ns(50);
    bool routers = false;  ///< Otherwise there are one or two hosts, back to back.
    nic::exanet::Timing timing;
    int32_t ring = 16;  ///< Entries of a mailbox,
    bool rings_in_memory = false;
    std::optional<nic::exanet::InterruptSettings> interrupt;
    int32_t contexts = 32;
    int32_t windows = 32;  ///< Each driver has so many.
    int32_t credits = 64;
    std::optional<memory::HostMemory::Config> memory;
    std::optional<Time> page_fault_time;
    uint16_t pdid = 7;
    uint16_t other_pdid = 7;  ///< Of all hosts but the first.
  };

  NiHosts(const std::vector<std::vector<Planned>>& plans, Options options)
      : plans_(plans), digests_(plans.size()), counters_(plans.size()) {
    systemc_ = *kernel::SystemcContext::create();
    const auto hosts = static_cast<int32_t>(plans.size());
    // A ring in x; three more bits so that numbers and positions differ.
    nic::exanet::Numbering numbering{0, 4, 2};
    for (int32_t i = 0; i < hosts; ++i) nodes_.push_back(numbering.number(i, 0, 0));
    system::Link link;
    link.rate = Bandwidth{20'000'000'000};
    link.latency = options.link_latency;
    for (int32_t i = 0; i < hosts; ++i) {
      const auto at = static_cast<size_t>(i);
      nic::exanet::driver::Driver::Config driver;
      driver.node = i;
      driver.nodes = &nodes_;
      driver.digest = &digests_[at];
      driver.failure = &failure_;
      driver.retries = 1000;
      driver.receive_windows = options.windows;
      drivers_.push_back(
          std::make_unique<nic::exanet::driver::Driver>(("driver_" + std::to_string(i)).c_str(), driver));
      endpoints_.push_back(std::make_unique<MessageEndpoint>(i, plans[at]));
      endpoints_[at]->nic.bind(drivers_[at]->host);
      drivers_[at]->bind_endpoint(endpoints_[at].get());
      nic::exanet::Ni::Config ni;
      ni.node = nodes_[at];
      ni.numbering = numbering;
      ni.pdid = i == 0 ? options.pdid : options.other_pdid;
      ni.link = link;
      ni.credits = options.credits;
      ni.timing = options.timing;
      ni.mailbox.depth = options.ring;
      ni.mailbox.in_memory = options.rings_in_memory;
      ni.mailbox.interrupt = options.interrupt;
      ni.contexts = options.contexts;
      ni.memory = options.memory;
      ni.page_fault_time = options.page_fault_time;
      ni.counters = &counters_[at];
      ni.client = drivers_[at].get();
      nis_.push_back(std::make_unique<nic::exanet::Ni>(("ni_" + std::to_string(i)).c_str(), ni));
      drivers_[at]->bind_ni(nis_[at].get());
    }
    if (options.routers) {
      make_ring(hosts, link, options.credits);
    } else {
      // With one host its link leads back to it.
      for (size_t i = 0; i < nis_.size(); ++i) nis_[i]->tile_out.bind(nis_[nis_.size() - 1 - i]->tile_in);
    }
  }
  ~NiHosts() {
    endpoints_.clear();
    nis_.clear();
    drivers_.clear();
    fabric_.reset();
  }

  /// Until nothing more happens, or `limit`.
  void run(Time limit = Time::from_us(100'000)) {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    while (failure_.empty()) {
      const Time routers = fabric_ ? fabric_->next_time() : Time::never();
      const Time kernel = kernel_next();
      if (std::min(routers, kernel) >= limit) return;
      if (routers <= kernel) {
        fabric_->run(routers + Time::from_fs(1));
        failure_ = fabric_->failure().what();
        continue;
      }
      if (kernel > stood_) sc_core::sc_start(kernel::to_sc_time(kernel - stood_));
      stood_ = kernel;
      while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
  }

  MessageEndpoint& endpoint(size_t i) { return *endpoints_[i]; }
  nic::exanet::Ni& ni(size_t i) { return *nis_[i]; }
  nic::exanet::driver::Driver& driver(size_t i) { return *drivers_[i]; }
  link::LinkCounters& counters(size_t i) { return counters_[i]; }
  nic::exanet::Node node(size_t i) const { return nodes_[i]; }
  const std::string& failure() const { return failure_; }
  std::string timing() const { return observe::combine_timing(digests_); }
  Time stood() const { return stood_; }

  /// Says what is not as it should be: each message once, in order, with every byte, and reported as sent.
  std::string check() {
    if (!failure_.empty()) return failure_;
    for (size_t to = 0; to < plans_.size(); ++to) {
      std::map<int32_t, std::vector<uint64_t>> expected, arrived;
      for (size_t from = 0; from < plans_.size(); ++from) {
        for (const Planned& planned : plans_[from]) {
          if (static_cast<size_t>(planned.destination) == to)
            expected[static_cast<int32_t>(from)].push_back(planned.bytes);
        }
      }
      for (const MessageEndpoint::Arrival& arrival : endpoints_[to]->arrivals) {
        if (!arrival.intact) return "a wrong byte";
        if (arrival.order != arrived[arrival.source].size()) return "out of order";
        arrived[arrival.source].push_back(arrival.bytes);
      }
      if (arrived != expected) return "messages missing or too many at " + std::to_string(to);
      if (endpoints_[to]->sent.size() != plans_[to].size()) return "on_sent() missing at " + std::to_string(to);
      const nic::exanet::Ni::Counters& counters = nis_[to]->counters();
      for (const uint64_t dropped : counters.dropped) {
        if (dropped != 0) return "packets dropped";
      }
    }
    return {};
  }

 private:
  Time kernel_next() const {
    if (sc_core::sc_pending_activity_at_current_time()) return stood_;
    if (!sc_core::sc_pending_activity_at_future_time()) return Time::never();
    return stood_ + kernel::from_sc_time(sc_core::sc_time_to_pending_activity());
  }

  void make_ring(int32_t hosts, const system::Link& link, int32_t credits) {
    const Clock clock{Frequency{156'250'000}};
    router_counters_ = std::vector<link::LinkCounters>(static_cast<size_t>(3 * hosts));
    std::vector<router::exanet::Fabric::RouterDescription> routers;
    for (int32_t i = 0; i < hosts; ++i) {
      router::exanet::Fabric::RouterDescription router;
      router.config.name = "router_" + std::to_string(i);
      router.config.routing =
          std::make_shared<routing::lattice::TorusRouting>(std::vector<int32_t>{hosts}, std::vector<int32_t>{i});
      router.config.clock = clock;
      router.config.buffer_words = credits;
      router.config.ports.assign(3, {true, link.word_clock(), 64});
      router.config.ports[1].word_clock = router.config.ports[2].word_clock =
          Clock::of_words(Bandwidth{10'000'000'000}, link::kWordBits);
      router.links.resize(3);
      for (int32_t p = 0; p < 3; ++p) {
        router::exanet::Fabric::PortLink& port = router.links[static_cast<size_t>(p)];
        port.word_clock = router.config.ports[static_cast<size_t>(p)].word_clock;
        port.latency = port.arrival_latency = p == 0 ? link.latency : Time::from_ns(120);
        port.counters = &router_counters_[static_cast<size_t>(3 * i + p)];
        port.kind = p == 0 ? router::exanet::Fabric::PortLink::Kind::kExternal
                           : router::exanet::Fabric::PortLink::Kind::kInternal;
        port.external = i;
        port.router = (i + (p == 1 ? 1 : hosts - 1)) % hosts;
        port.port = 3 - p;
      }
      routers.push_back(std::move(router));
    }
    fabric_ = std::make_unique<router::exanet::Fabric>("fabric", clock, std::move(routers), hosts);
    for (int32_t i = 0; i < hosts; ++i) {
      fabric_->out[static_cast<unsigned>(i)].bind(nis_[static_cast<size_t>(i)]->tile_in);
      nis_[static_cast<size_t>(i)]->tile_out.bind(fabric_->in[static_cast<unsigned>(i)]);
    }
  }

  std::vector<std::vector<Planned>> plans_;
  std::unique_ptr<kernel::SystemcContext> systemc_;
  std::vector<nic::exanet::Node> nodes_;
  std::vector<observe::EndpointDigest> digests_;
  std::vector<link::LinkCounters> counters_, router_counters_;
  std::string failure_;
  std::unique_ptr<router::exanet::Fabric> fabric_;
  std::vector<std::unique_ptr<nic::exanet::driver::Driver>> drivers_;
  std::vector<std::unique_ptr<nic::exanet::Ni>> nis_;
  std::vector<std::unique_ptr<MessageEndpoint>> endpoints_;
  Time stood_;
};

}  // namespace fabrictwin::test

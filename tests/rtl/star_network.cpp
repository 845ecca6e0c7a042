// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/star_network.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "fmt/format.h"

namespace fabrictwin::test {
namespace {

/// A link's rate in percent of tile_rate, by port.
constexpr std::array<int64_t, 3> kRates = {100, 75, 50};

}  // namespace

StarNetwork::StarNetwork(const NetworkOptions& options, int ports)
    : options_(options), counters_(static_cast<size_t>(ports)) {
  RandomStream random(options.seed + 2, 0, RandomPurpose::kTest);
  for (int i = 0; i < ports * link::kVcs * kHosts; ++i) {
    const auto port = static_cast<int32_t>(random.next_below(static_cast<uint64_t>(ports)));
    routes_.push_back(system::RouteTable::entry(port, static_cast<int32_t>(random.next_below(link::kVcs))));
  }
  rtl::router::Config config;
  config.name = "router[0]";
  config.router_clock = Clock(options.router_clock);
  config.idle_skip = options.idle_skip;
  config.marking = options.marking;
  if (!options.waves.empty()) config.wave = options.waves[0];
  config.routes = routes_;
  config.route_destinations = kHosts;
  for (int p = 0; p < ports; ++p) {
    const Bandwidth rate{options.tile_rate.bits_per_second * kRates[static_cast<size_t>(p) % kRates.size()] / 100};
    const auto link = [&](const std::string& name) {
      links_.push_back(
          std::make_unique<OneWayLink>(static_cast<uint32_t>(links_.size()), name, rate, options.tile_latency));
      return links_.back().get();
    };
    OneWayLink* down = link(fmt::format("router[0].p{}", p));
    OneWayLink* up = link(fmt::format("tile[{}]", p));
    rtl::router::PortConfig& port = config.ports[p];
    port.enabled = true;
    port.word_clock = down->sender()->spec().word_clock;
    port.initial_credits = 64;
    port.to_host = p % 3 == 0;
    port.sender = down->sender();
    port.receiver = up->receiver();
    port.counters = &counters_[p];
    tiles_.push_back(std::make_unique<Tile>(options, p, up->sender(), down->receiver()));
  }
  absl::StatusOr<std::unique_ptr<engine::Partition>> router =
      options.make_router ? options.make_router(config) : rtl::router::make_router_transactor(config);
  if (!router.ok()) throw std::runtime_error(std::string(router.status().message()));
  router_ = *std::move(router);
}

void StarNetwork::add_random_traffic(int packets, int64_t slots) {
  for (int p = 0; p < this->ports(); ++p) {
    for (const PacketToSend& packet : random_packets(options_.seed, p, kHosts, packets, slots)) tile(p).send(packet);
  }
}

absl::Status StarNetwork::run(Time quantum, Time until) {
  while (now_ < until) {
    now_ = std::min(now_ + quantum, until);
    for (auto& link : links_) {
      if (absl::Status status = link->receiver()->poll(); !status.ok()) return status;
    }
    for (auto& tile : tiles_) tile->advance(now_);
    if (absl::Status status = router_->advance(now_); !status.ok()) return status;
    for (auto& link : links_) {
      if (absl::Status status = link->flush(now_); !status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin::test

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/router_network.h"

#include <stdexcept>

#include "cosim/base/random.h"
#include "fmt/format.h"

namespace fabrictwin::test {
namespace {

std::vector<link::Word> packet_words(const PacketToSend& packet) {
  std::vector<link::Word> words{packet.header.encode()};
  for (int i = 0; i < packet.header.payload_words(); ++i)
    words.push_back({mix64(packet.fill + 2 * i), mix64(packet.fill + 2 * i + 1)});
  words.push_back({packet.fill, ~packet.fill});
  return words;
}

}  // namespace

std::vector<PacketToSend> random_packets(uint64_t seed, int tile, int hosts, int packets, int64_t slots) {
  std::vector<PacketToSend> result;
  RandomStream random(seed + 1, static_cast<uint64_t>(tile), RandomPurpose::kTest);
  int64_t slot = 0;
  for (int i = 0; i < packets; ++i) {
    PacketToSend packet;
    slot += static_cast<int64_t>(random.next_below(static_cast<uint64_t>(2 * slots / packets)));
    packet.slot = slot;
    packet.vc = static_cast<int>(random.next_below(2));
    packet.header.destination = static_cast<uint32_t>(random.next_below(static_cast<uint64_t>(hosts)));
    packet.header.payload_bytes = static_cast<uint16_t>(random.next_below(257));
    packet.header.source = static_cast<uint32_t>(tile);
    packet.header.sequence = static_cast<uint32_t>(i);
    packet.header.ties = static_cast<uint8_t>(random.next_below(8));
    packet.fill = random.next();
    result.push_back(packet);
  }
  return result;
}

system::RouteTable x_first_routes(const std::array<int32_t, 3>& dims) {
  const int32_t nodes = dims[0] * dims[1] * dims[2];
  system::RouteTable table(std::vector<int32_t>(static_cast<size_t>(nodes), rtl::router::kRouterPorts), nodes);
  const auto route = [&](int32_t here, int32_t there, int32_t vc) {
    for (int32_t d = 0, stride = 1; d < 3; stride *= dims[d], ++d) {
      const int32_t from = here / stride % dims[d];
      const int32_t to = there / stride % dims[d];
      if (from == to) continue;
      const bool plus = 2 * ((to - from + dims[d]) % dims[d]) <= dims[d];
      return system::RouteTable::entry(plus ? 1 + 2 * d : 2 + 2 * d, to > from ? 1 : 0);
    }
    return system::RouteTable::entry(0, vc);
  };
  for (int32_t here = 0; here < nodes; ++here) {
    for (int32_t input = 0; input < rtl::router::kRouterPorts * link::kVcs; ++input) {
      for (int32_t there = 0; there < nodes; ++there)
        table.set(here, input, there, route(here, there, input % link::kVcs));
    }
  }
  return table;
}

Tile::Tile(const NetworkOptions& options, int node, link::ChannelSender* sender, link::ChannelReceiver* receiver)
    : options_(options),
      random_(options.seed, static_cast<uint64_t>(node), RandomPurpose::kTest),
      sender_(sender),
      receiver_(receiver) {}

void Tile::advance(Time until) {
  const Clock& clock = sender_->spec().word_clock;
  for (; clock.edge(slot_) < until; ++slot_) {
    take_arrivals(clock.edge(slot_));
    send_in(slot_);
  }
  take_arrivals(until - Time::from_fs(1));
}

void Tile::take_arrivals(Time now) {
  const link::ChannelSpec& spec = receiver_->spec();
  for (const link::Record* record = receiver_->front(); record != nullptr && record->time() <= now;
       record = receiver_->front()) {
    if (record->kind == link::RecordKind::kCredit) {
      room_[record->vc] += record->count;
      credits_.push_back({record->time(), record->vc, record->count});
    } else {
      const int64_t slot = receiver_->first_slot(*record);
      for (int i = 0; i < record->count; ++i) {
        const Time time = spec.word_clock.edge(slot + i + 1) + spec.latency;
        uint8_t flags = 0;
        if (i == 0) flags |= record->flags & link::kStartOfPacket;
        if (i + 1 == record->count) flags |= record->flags & link::kEndOfPacket;
        words_.push_back({time, record->vc, flags, record->words[i]});
        // Word by word, so that it does not matter how words are grouped.
        const auto hold =
            static_cast<int64_t>(random_.at(holds_++ * 2 + 1) % static_cast<uint64_t>(options_.longest_hold.fs() + 1));
        sender_->send_credit(time + Time::from_fs(hold), record->vc, 1);
      }
    }
    receiver_->pop();
  }
}

void Tile::send_in(int64_t slot) {
  if (static_cast<int>(random_.at(static_cast<uint64_t>(slot) * 2) % 100) >= options_.eagerness) return;
  if (next_word_ == current_.size()) {
    if (next_packet_ == queue_.size() || queue_[next_packet_].slot > slot) return;
    const PacketToSend& packet = queue_[next_packet_];
    if (room_[packet.vc] < packet.header.packet_words()) return;
    room_[packet.vc] -= packet.header.packet_words();
    current_ = packet_words(packet);
    current_vc_ = packet.vc;
    next_word_ = 0;
    ++next_packet_;
  }
  uint8_t flags = 0;
  if (next_word_ == 0) flags |= link::kStartOfPacket;
  if (next_word_ + 1 == current_.size()) flags |= link::kEndOfPacket;
  sender_->send_word(slot, static_cast<uint8_t>(current_vc_), flags, current_[next_word_]);
  ++next_word_;
}

RouterNetwork::RouterNetwork(const NetworkOptions& options) : options_(options) {
  const auto& dims = options.dims;
  const int nodes = dims[0] * dims[1] * dims[2];
  counters_ = std::vector<link::LinkCounters>(static_cast<size_t>(nodes) * rtl::router::kRouterPorts);
  inbound_.resize(static_cast<size_t>(nodes) * rtl::router::kRouterPorts);
  std::vector<rtl::router::Config> configs(nodes);
  const system::RouteTable routes = options.route_tables ? x_first_routes(dims) : system::RouteTable();
  for (int n = 0; n < nodes; ++n) {
    const auto place = coordinates(n);
    configs[n].name = fmt::format("router[{}]", n);
    configs[n].dims = dims;
    configs[n].coordinates = {place[0], place[1], place[2]};
    configs[n].router_clock = Clock(options.router_clock);
    configs[n].idle_skip = options.idle_skip;
    configs[n].marking = options.marking;
    if (options.route_tables) {
      const std::span<const system::RouteTable::Entry> entries = routes.of_router(n);
      configs[n].routes.assign(entries.begin(), entries.end());
      configs[n].route_destinations = nodes;
      configs[n].coordinates = {};
      configs[n].dims = {1, 1, 1};
    }
    if (static_cast<size_t>(n) < options.waves.size()) configs[n].wave = options.waves[n];
  }
  const auto connect = [&](int node, int port, OneWayLink* out, OneWayLink* in) {
    rtl::router::PortConfig& config = configs[node].ports[port];
    config.enabled = true;
    config.word_clock = out->sender()->spec().word_clock;
    config.initial_credits = 64;
    config.to_host = port == 0;
    config.sender = out->sender();
    config.receiver = in->receiver();
    config.counters = &counters_[node * rtl::router::kRouterPorts + port];
    inbound_[node * rtl::router::kRouterPorts + port] = in->sender();
  };
  for (int n = 0; n < nodes; ++n) {
    OneWayLink* down =
        add_direction(fmt::format("router[{0}].tile->host[{0}].tile", n), options.tile_rate, options.tile_latency);
    OneWayLink* up =
        add_direction(fmt::format("host[{0}].tile->router[{0}].tile", n), options.tile_rate, options.tile_latency);
    connect(n, 0, down, up);
    tiles_.push_back(std::make_unique<Tile>(options, n, up->sender(), down->receiver()));
    int stride = 1;
    for (int d = 0; d < 3; ++d) {
      const int at = coordinates(n)[d];
      const int neighbour = n + ((at + 1) % dims[d] - at) * stride;
      stride *= dims[d];
      if (neighbour == n) continue;
      OneWayLink* forth =
          add_direction(fmt::format("router[{}].{}+", n, "xyz"[d]), options.link_rate, options.link_latency);
      OneWayLink* back =
          add_direction(fmt::format("router[{}].{}-", neighbour, "xyz"[d]), options.link_rate, options.link_latency);
      connect(n, 1 + 2 * d, forth, back);
      connect(neighbour, 2 + 2 * d, back, forth);
    }
  }
  for (const rtl::router::Config& config : configs) {
    absl::StatusOr<std::unique_ptr<engine::Partition>> router =
        options.make_router ? options.make_router(config) : rtl::router::Transactor::create(config);
    if (!router.ok()) throw std::runtime_error(std::string(router.status().message()));
    routers_.push_back(*std::move(router));
  }
}

std::array<uint8_t, 3> RouterNetwork::coordinates(int node) const {
  const auto& dims = options_.dims;
  return {static_cast<uint8_t>(node % dims[0]), static_cast<uint8_t>(node / dims[0] % dims[1]),
          static_cast<uint8_t>(node / dims[0] / dims[1])};
}

OneWayLink* RouterNetwork::add_direction(const std::string& name, Bandwidth rate, Time latency) {
  directions_.push_back(std::make_unique<OneWayLink>(static_cast<uint32_t>(directions_.size()), name, rate, latency));
  return directions_.back().get();
}

void RouterNetwork::add_random_traffic(int packets, int64_t slots) {
  for (int n = 0; n < nodes(); ++n) {
    for (PacketToSend& packet : random_packets(options_.seed, n, nodes(), packets, slots)) {
      if (!options_.route_tables) packet.header.coordinates = coordinates(static_cast<int>(packet.header.destination));
      tile(n).send(packet);
    }
  }
}

absl::Status RouterNetwork::run(Time quantum, Time until) {
  while (now_ < until) {
    now_ = std::min(now_ + quantum, until);
    for (auto& direction : directions_) {
      if (absl::Status status = direction->receiver()->poll(); !status.ok()) return status;
    }
    for (auto& tile : tiles_) tile->advance(now_);
    for (auto& router : routers_) {
      if (absl::Status status = router->advance(now_); !status.ok()) return status;
    }
    for (auto& direction : directions_) {
      if (absl::Status status = direction->flush(now_); !status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin::test

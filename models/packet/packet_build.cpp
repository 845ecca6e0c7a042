// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// From a graph to the records of a packet network.
#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "fmt/format.h"
#include "models/packet/packet_network.h"

namespace fabrictwin {
namespace {

constexpr int kLeastShift = 10;

/// Windows of at most the least latency, in which elements do not hear of each other; 0 if that is too little, or if
/// they hear of each other in other ways.
int owner_shift(const PacketNetwork::Config& config) {
  constexpr int kMostShift = 30;
  if (!config.independent_hosts || !config.routing->local()) return 0;
  int64_t least = int64_t{1} << kMostShift;
  for (const Link& link : config.graph->links) least = std::min(least, link.latency.fs());
  const int shift = static_cast<int>(std::bit_width(static_cast<uint64_t>(least))) - 1;
  return shift < kLeastShift ? 0 : shift;
}

/// Windows in which few events follow from each other, and so many of them that most events need only one of the
/// queue's wheels.
int time_shift(const PacketNetwork::Config& config) {
  constexpr int64_t kWindows = 4096;
  int64_t longest = 0;
  for (const Link& link : config.graph->links) {
    const double duration = 8e15 * config.max_packet / static_cast<double>(link.rate.bits_per_second);
    longest = std::max(longest, link.latency.fs() + static_cast<int64_t>(std::min(duration, 1e15)));
  }
  const int64_t width = 8 * (longest + config.pipeline.fs() + config.credit_delay.fs()) / kWindows;
  return std::clamp(static_cast<int>(std::bit_width(static_cast<uint64_t>(width))), kLeastShift, 32);
}

/// From so many ports on, records do not stay in the caches of a core.
constexpr uint32_t kLargePorts = 8192;

}  // namespace

absl::StatusOr<std::unique_ptr<PacketNetwork>> PacketNetwork::create(const Config& config) {
  std::unique_ptr<PacketNetwork> network(new PacketNetwork(config));
  if (absl::Status status = network->build(*config.graph); !status.ok()) return status;
  return network;
}

PacketNetwork::PacketNetwork(const Config& config)
    : routing_(config.routing),
      deterministic_(config.routing->deterministic()),
      vcs_(static_cast<uint32_t>(config.vcs)),
      vc_shift_(std::bit_width(vcs_ - 1)),
      pipeline_(config.pipeline.fs()),
      credit_delay_(config.credit_delay.fs()),
      turnaround_(config.turnaround.fs()),
      max_packet_(config.max_packet),
      seed_(config.seed),
      client_(config.client),
      by_owner_(owner_shift(config) > 0),
      events_(by_owner_ ? owner_shift(config) : time_shift(config),
              by_owner_ ? EventQueue::Order::kOwner : EventQueue::Order::kTime) {}

absl::Status PacketNetwork::build(const SystemGraph& graph) {
  nodes_.reserve(graph.elements.size());
  uint32_t ports = 0;
  uint32_t waits = 0;
  for (const Element& element : graph.elements) {
    if (element.ports.size() > kMaxPorts) {
      return absl::InvalidArgumentError(fmt::format("{} has {} ports, and routers of the model PACKET have at most {}",
                                                    element.name, element.ports.size(), kMaxPorts));
    }
    NodeRecord node;
    node.host = element.kind == ElementKind::kHost;
    node.number = node.host ? hosts_++ : static_cast<int32_t>(nodes_.size()) - hosts_;
    node.first_port = ports;
    node.first_wait = waits;
    node.ports = static_cast<uint16_t>(element.ports.size());
    node.wait_words = static_cast<uint8_t>(((uint32_t{node.ports} << vc_shift_) + 63) / 64);
    ports += node.ports;
    if (node.host) {
      first_router_port_ = ports;
      several_host_ports_ = several_host_ports_ || node.ports > 1;
    } else {
      waits += uint32_t{node.ports} * node.wait_words;
    }
    nodes_.push_back(node);
  }
  large_ = ports > kLargePorts;
  ports_.resize(ports);
  vc_records_.resize(size_t{ports} << vc_shift_);
  rooms_.resize(vc_records_.size());
  waits_.resize(waits);
  stalled_.resize(ports);
  drawn_.resize(hosts_);
  for (size_t element = 0; element < nodes_.size(); ++element) {
    for (uint32_t index = 0; index < nodes_[element].ports; ++index) {
      PortRecord& port = ports_[nodes_[element].first_port + index];
      port.element = static_cast<uint32_t>(element);
      port.index = static_cast<uint8_t>(index);
    }
  }
  for (const Link& link : graph.links) {
    const int32_t capacity = link.buffer_words * kWordBytes;
    if (capacity < max_packet_) {
      return absl::InvalidArgumentError(
          fmt::format("a buffer of {} words of {} bytes has no room for a packet of {} bytes", link.buffer_words,
                      kWordBytes, max_packet_));
    }
    const uint16_t kind = link_kind(link);
    for (int side = 0; side < 2; ++side) {
      const auto id = [&](const LinkEnd& end) {
        return nodes_[end.element].first_port + static_cast<uint32_t>(end.port);
      };
      PortRecord& port = ports_[id(link.ends[side])];
      port.peer = id(link.ends[1 - side]);
      port.peer_element = static_cast<uint32_t>(link.ends[1 - side].element);
      port.link = kind;
      const uint32_t first = first_vc(id(link.ends[side]));
      for (uint32_t vc = first; vc < first + vcs_; ++vc) rooms_[vc].free = capacity;
    }
  }
  return absl::OkStatus();
}

uint16_t PacketNetwork::link_kind(const Link& link) {
  const std::tuple<int64_t, int64_t, int32_t> key(link.rate.bits_per_second, link.latency.fs(), link.buffer_words);
  for (size_t i = 0; i < link_keys_.size(); ++i) {
    if (link_keys_[i] == key) return static_cast<uint16_t>(i);
  }
  LinkKind kind;
  kind.latency = link.latency.fs();
  kind.capacity = link.buffer_words * kWordBytes;
  // Rounded up, so that a packet never leaves before its last bit.
  constexpr __int128 kFsPerByte = static_cast<__int128>(8) * 1'000'000'000'000'000;
  for (int32_t bytes = 0; bytes <= max_packet_; ++bytes)
    kind.duration.push_back(
        static_cast<int64_t>((bytes * kFsPerByte + link.rate.bits_per_second - 1) / link.rate.bits_per_second));
  link_keys_.push_back(key);
  links_.push_back(std::move(kind));
  return static_cast<uint16_t>(links_.size() - 1);
}

}  // namespace fabrictwin

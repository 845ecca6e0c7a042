// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// From a graph to the records of a packet network.
#include <algorithm>
#include <bit>
#include <utility>

#include "fmt/format.h"
#include "models/packet/packet_network.h"

namespace fabrictwin {
namespace {

/// Most events lie less than this far ahead, so that they need only one of the queue's wheels.
int queue_shift(int64_t typical_delay) {
  constexpr int64_t kBuckets = 4096;
  constexpr int kMin = 10;
  const int64_t width = 8 * typical_delay / kBuckets;
  return std::clamp(static_cast<int>(std::bit_width(static_cast<uint64_t>(width))), kMin, 32);
}

/// From so many ports on, records do not stay in the caches of a core.
constexpr uint32_t kLargePorts = 8192;

int64_t longest_delay(const PacketNetwork::Config& config) {
  int64_t longest = 0;
  for (const Link& link : config.graph->links) {
    const double duration = 8e15 * config.max_packet / static_cast<double>(link.rate.bits_per_second);
    longest = std::max(longest, link.latency.fs() + static_cast<int64_t>(std::min(duration, 1e15)));
  }
  return longest + config.pipeline.fs() + config.credit_delay.fs();
}

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
      events_(queue_shift(longest_delay(config))) {}

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
  if ((uint64_t{ports} << vc_shift_) > EventEntry::kMaxId)
    return absl::InvalidArgumentError(fmt::format("{} ports of {} VCs are more than a packet network has numbers for", ports, vcs_));
  large_ = ports > kLargePorts;
  ports_.resize(ports);
  vc_records_.resize(size_t{ports} << vc_shift_);
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
      port.link = kind;
      for (uint32_t vc = first_vc(port.peer); vc < first_vc(port.peer) + vcs_; ++vc) vc_records_[vc].credits = capacity;
      ports_[port.peer].capacity = capacity;
    }
  }
  return absl::OkStatus();
}

uint16_t PacketNetwork::link_kind(const Link& link) {
  const std::pair<int64_t, int64_t> key(link.rate.bits_per_second, link.latency.fs());
  for (size_t i = 0; i < link_keys_.size(); ++i) {
    if (link_keys_[i] == key) return static_cast<uint16_t>(i);
  }
  LinkKind kind;
  kind.latency = key.second;
  // Rounded up, so that a packet never leaves before its last bit.
  constexpr __int128 kFsPerByte = static_cast<__int128>(8) * 1'000'000'000'000'000;
  for (int32_t bytes = 0; bytes <= max_packet_; ++bytes)
    kind.duration.push_back(static_cast<int64_t>((bytes * kFsPerByte + key.first - 1) / key.first));
  link_keys_.push_back(key);
  links_.push_back(std::move(kind));
  return static_cast<uint16_t>(links_.size() - 1);
}

}  // namespace fabrictwin

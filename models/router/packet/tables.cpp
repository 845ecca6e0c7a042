// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the records of a packet network from a graph.
#include "models/router/packet/tables.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::router::packet {
namespace {

constexpr int kLeastShift = 10;

/// The duration is rounded up, so that a packet never leaves before its last bit.
int64_t duration_at(int64_t bits_per_second, int32_t bytes) {
  constexpr __int128 kFsPerByte = static_cast<__int128>(8) * 1'000'000'000'000'000;
  return static_cast<int64_t>((bytes * kFsPerByte + bits_per_second - 1) / bits_per_second);
}

int64_t duration_of(const system::Link& link, int32_t bytes) { return duration_at(link.rate.bits_per_second, bytes); }

/// Windows of at most the minimum latency, in which elements do not affect each other; 0 if they would be too short, or
/// if elements affect each other in other ways.
int owner_shift(const NetworkConfig& config) {
  constexpr int kMostShift = 30;
  if (!config.independent_hosts || !config.routing->local()) return 0;
  int64_t least = int64_t{1} << kMostShift;
  for (const system::Link& link : config.graph->links) least = std::min(least, link.latency.fs());
  const int shift = static_cast<int>(std::bit_width(static_cast<uint64_t>(least))) - 1;
  return shift < kLeastShift ? 0 : shift;
}

/// Windows in which few events cause others, and enough windows that most events need only one of the queue's wheels.
int time_shift(const NetworkConfig& config) {
  constexpr int64_t kWindows = 4096;
  int64_t longest = 0;
  for (const system::Link& link : config.graph->links) {
    const double duration = 8e15 * config.max_packet / static_cast<double>(link.rate.bits_per_second);
    longest = std::max(longest, link.latency.fs() + static_cast<int64_t>(std::min(duration, 1e15)));
  }
  const int64_t width = 8 * (longest + config.pipeline.fs() + config.credit_delay.fs()) / kWindows;
  return std::clamp(static_cast<int>(std::bit_width(static_cast<uint64_t>(width))), kLeastShift, 32);
}

/// The window of links between routers, in whole windows of the queue: the minimum time from a packet's departure until
/// the next router can act on it, or until the previous router learns of the freed space, over any link.
int64_t window_of(const NetworkConfig& config, int window_shift) {
  const system::SystemGraph& graph = *config.graph;
  const auto of_host = [&](const system::LinkEnd& end) {
    return graph.elements[static_cast<size_t>(end.element)].kind == system::ElementKind::kHost;
  };
  int64_t fastest = std::numeric_limits<int64_t>::max();
  for (const system::Link& link : graph.links) fastest = std::min(fastest, duration_of(link, config.min_packet));
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const system::Link& link : graph.links) {
    if (of_host(link.ends[0]) || of_host(link.ends[1])) continue;
    const int64_t word = duration_of(link, std::min(config.min_packet, Tables::kWordBytes));
    const int64_t space = fastest + config.credit_delay.fs();
    least = std::min(least, link.latency.fs() + std::min(word + config.pipeline.fs(), space));
  }
  // A single router has no such link.
  const int64_t window = int64_t{1} << window_shift;
  if (least == std::numeric_limits<int64_t>::max()) return window;
  return std::max(least >> window_shift, int64_t{1}) << window_shift;
}

}  // namespace

absl::StatusOr<std::shared_ptr<Tables>> Tables::create(const NetworkConfig& config) {
  auto tables = std::make_shared<Tables>();
  if (absl::Status status = tables->build(config); !status.ok()) return status;
  return tables;
}

bool Tables::by_owner(const NetworkConfig& config) { return owner_shift(config) > 0; }

absl::Status Tables::build(const NetworkConfig& config) {
  const system::SystemGraph& graph = *config.graph;
  const auto vcs = static_cast<uint32_t>(config.vcs);
  vc_shift = std::bit_width(vcs - 1);
  window_shift = by_owner(config) ? owner_shift(config) : time_shift(config);
  window = window_of(config, window_shift);
  nodes.reserve(graph.elements.size());
  uint32_t port_count = 0;
  uint32_t wait_count = 0;
  for (const system::Element& element : graph.elements) {
    if (element.ports.size() > kMaxPorts) {
      return absl::InvalidArgumentError(fmt::format("{} has {} ports, and routers of the model PACKET have at most {}",
                                                    element.name, element.ports.size(), kMaxPorts));
    }
    NodeRecord node;
    node.host = element.kind == system::ElementKind::kHost;
    node.number = node.host ? hosts++ : static_cast<int32_t>(nodes.size()) - hosts;
    node.first_port = port_count;
    node.first_wait = wait_count;
    node.ports = static_cast<uint16_t>(element.ports.size());
    node.wait_words = static_cast<uint8_t>((std::max(uint32_t{node.ports} << vc_shift, 1U) - 1) / 64);
    port_count += node.ports;
    if (node.host) {
      first_router_port = port_count;
      several_host_ports = several_host_ports || node.ports > 1;
    } else {
      wait_count += uint32_t{node.ports} * node.wait_words;
    }
    nodes.push_back(node);
  }
  ports.resize(port_count);
  buffers.resize(size_t{port_count} << vc_shift);
  waits.resize(wait_count);
  stalled.resize(port_count);
  if (!config.channels.empty()) {
    lines.resize(port_count);
    crossbar.slots = *config.clock;
  }
  packets_sent.resize(static_cast<size_t>(hosts));
  for (size_t element = 0; element < nodes.size(); ++element) {
    for (uint32_t index = 0; index < nodes[element].ports; ++index) {
      PortRecord& port = ports[nodes[element].first_port + index];
      port.element = static_cast<uint32_t>(element);
      port.index = static_cast<uint8_t>(index);
    }
  }
  std::vector<LinkKey> keys;
  for (const system::Link& link : graph.links) {
    const int32_t capacity = link.buffer_words * link::kWordBytes;
    if (capacity < config.max_packet && !config.pause.has_value()) {
      return absl::InvalidArgumentError(
          fmt::format("a buffer of {} words of {} bytes has no space for a packet of {} bytes", link.buffer_words,
                      link::kWordBytes, config.max_packet));
    }
    const size_t first = 2 * static_cast<size_t>(&link - graph.links.data());
    for (size_t side = 0; side < 2; ++side) {
      const auto id = [&](const system::LinkEnd& end) {
        return nodes[static_cast<size_t>(end.element)].first_port + static_cast<uint32_t>(end.port);
      };
      PortRecord& port = ports[id(link.ends[side])];
      port.peer = id(link.ends[1 - side]);
      port.peer_element = static_cast<uint32_t>(link.ends[1 - side].element);
      port.link = link_kind(
          config.channels.empty() ? ChannelConfig{link, config.turnaround, false} : config.channels[first + side],
          config.max_packet, keys);
      if (port.peer < first_router_port) nodes[port.element].host_ports |= uint64_t{1} << port.index;
    }
  }
  for (uint32_t port = 0; port < first_router_port; ++port) exits.push_back(ports[port].peer);
  split(std::vector<uint8_t>(nodes.size()));
  build_faults(config);
  build_input_queues(config);
  return build_queues(config);
}

void Tables::build_faults(const NetworkConfig& config) {
  for (const LinkFault& fault : config.faults) {
    FaultRecord& record = faults.emplace_back();
    record.fault = fault.fault;
    record.port =
        nodes[static_cast<size_t>(fault.output.element)].first_port + static_cast<uint32_t>(fault.output.port);
    record.at = fault.at.fs();
    record.until = fault.until.is_never() ? FaultRecord::kNever : fault.until.fs();
    record.errors = fault.lane_errors;
    // On both lanes, packets take twice as long.
    constexpr double kOneLane = 0.5;
    const double rate = fault.lane_errors > 0 ? kOneLane : fault.rate;
    record.fails = rate == 0;
    record.nominal = ports[record.port].link;
    record.degraded = static_cast<uint16_t>(links.size());
    if (record.fails) continue;
    LinkKind slower = links[record.nominal];
    slower.nominal = record.nominal;
    slower.rate = std::max<int64_t>(std::llround(static_cast<double>(slower.rate) * rate), 1);
    for (size_t bytes = 0; bytes < slower.duration.size(); ++bytes)
      slower.duration[bytes] = duration_at(slower.rate, static_cast<int32_t>(bytes));
    links.push_back(std::move(slower));
  }
}

void Tables::build_input_queues(const NetworkConfig& config) {
  if (config.queues.scheme == v1::Queues::ONE) return;
  int32_t most_ports = 1;
  for (const NodeRecord& node : nodes) most_ports = std::max<int32_t>(most_ports, node.ports);
  input_queues = std::make_unique<buffer::InputQueues>();
  input_queues->classifier = congestion::Classifier(config.queues, hosts, most_ports);
  input_queues->queues.resize(buffers.size());
  input_queues->credits.resize(buffers.size());
  input_queues->waiting.resize(ports.size());
  if (config.queues.scheme != v1::Queues::FBICM) return;
  input_queues->notices.resize(ports.size());
  for (const NodeRecord& node : nodes) {
    const int32_t planes = int32_t{node.ports} << vc_shift;
    input_queues->set_aside.emplace_back(config.queues, node.host ? 0 : planes, planes);
  }
}

absl::Status Tables::build_queues(const NetworkConfig& config) {
  if (config.scheme == nullptr && !config.pause.has_value() && config.faults.empty() && input_queues == nullptr &&
      !config.count_queues)
    return absl::OkStatus();
  queues.resize(ports.size());
  queue_times = kernel::QueueTimesTable(ports.size() - first_router_port);
  for (size_t port = first_router_port; port < ports.size(); ++port)
    queues[port].times = static_cast<uint32_t>(port - first_router_port);
  base_rate = std::numeric_limits<int64_t>::max();
  for (uint32_t port = 0; port < first_router_port; ++port)
    base_rate = std::min(base_rate, links[ports[port].link].rate);
  if (!config.pause.has_value()) return absl::OkStatus();
  for (size_t element = static_cast<size_t>(hosts); element < nodes.size(); ++element) {
    std::vector<buffer::SharedBuffer::Link> inputs;
    for (uint32_t index = 0; index < nodes[element].ports; ++index) {
      const LinkKind& link = links[ports[nodes[element].first_port + index].link];
      inputs.push_back({link.rate, link.latency});
    }
    const buffer::SharedBuffer& memory = memories.emplace_back(*config.pause, inputs, base_rate, config.max_packet);
    const auto flaw = find_flaw(memory, inputs, config.max_packet, config.graph->elements[element].name);
    if (flaw.has_value()) return absl::InvalidArgumentError(flaw->text);
  }
  return absl::OkStatus();
}

uint16_t Tables::link_kind(const ChannelConfig& channel, int32_t max_packet, std::vector<LinkKey>& keys) {
  const system::Link& link = channel.link;
  const LinkKey key(link.rate.bits_per_second, link.latency.fs(), link.buffer_words, channel.turnaround.fs(),
                    channel.line);
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == key) return static_cast<uint16_t>(i);
  }
  LinkKind kind;
  kind.latency = link.latency.fs();
  kind.capacity = link.buffer_words * link::kWordBytes;
  kind.rate = link.rate.bits_per_second;
  kind.turnaround = channel.turnaround.fs();
  kind.line = channel.line;
  kind.slots = link.word_clock();
  for (int32_t bytes = 0; bytes <= max_packet; ++bytes) kind.duration.push_back(duration_of(link, bytes));
  keys.push_back(key);
  links.push_back(std::move(kind));
  return static_cast<uint16_t>(links.size() - 1);
}

void Tables::split(std::vector<uint8_t> shards, Cut cut) {
  shard_of = std::move(shards);
  for (uint32_t id = 0; id < ports.size(); ++id) {
    PortRecord& port = ports[id];
    const bool leads_on = port.peer != PortRecord::kNone;
    port.cut = leads_on && (cut == Cut::kEverywhere || shard_of[port.element] != shard_of[port.peer_element]);
    port.credit_port = leads_on && !port.cut ? port.peer : id;
    for (uint32_t vc = 0; vc < uint32_t{1} << vc_shift; ++vc) {
      BufferRecord& buffer = buffers[(id << vc_shift) + vc];
      buffer.element = port.element;
      buffer.index = port.index;
      buffer.link = port.link;
      buffer.cut = port.cut ? 1 : 0;
      if (leads_on) buffers[(port.credit_port << vc_shift) + vc].free = links[port.link].capacity;
    }
  }
}

}  // namespace fabrictwin::router::packet

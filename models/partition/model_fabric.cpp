// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The routers of a partition of models and what they are linked with.
#include <algorithm>
#include <array>
#include <utility>

#include "fmt/format.h"
#include "models/network/coarse_depth.h"
#include "models/network/topology.h"
#include "models/nic/exanet/driver/host.h"
#include "models/partition/model_partition.h"
#include "models/routing/exanest/routing.h"
#include "models/topology/exanest/exanest.h"

namespace fabrictwin::partition {
namespace {

using router::exanet::Fabric;

bool is_node(const system::Element& element) { return element.kind == system::ElementKind::kNode; }

/// The routers of words that are models, of all partitions.
int32_t modelled_routers(const system::Plan& plan) {
  int32_t routers = 0;
  for (const system::PartitionPlan& partition : plan.partitions) {
    if (partition.implementation != v1::MODEL) continue;
    for (const system::ElementId id : partition.elements)
      routers += plan.graph.elements[id].kind != system::ElementKind::kHost ? 1 : 0;
    routers -= static_cast<int32_t>(partition.packets.size());
  }
  return routers;
}

}  // namespace

// The properties of a channel for its end here.
system::Link ModelPartition::link_of(int32_t channel) const {
  const system::SystemGraph& graph = context_.plan->graph;
  const system::LinkEnd& from = graph.channel_source(channel);
  const system::LinkEnd& to = graph.channel_target(channel);
  const system::Link& link = context_.plan->channel_link(channel);
  const system::Element& source = graph.elements[from.element];
  const system::Element& target = graph.elements[to.element];
  if (is_node(target) && to.port == 0) return nic::exanet::driver::Host::inner_link(graph, timing_, target, link);
  if (is_node(source) && from.port == 0) return nic::exanet::driver::Host::inner_link(graph, timing_, source, link);
  return link;
}

Fabric::RouterDescription ModelPartition::describe(const system::Element& element) const {
  const system::SystemGraph& graph = context_.plan->graph;
  Fabric::RouterDescription description;
  description.config.name = element.name;
  description.config.routing = network::make_routing(graph, element);
  description.config.clock = graph.router_clock;
  description.config.buffer_words = graph.buffer_words;
  if (!is_node(element) || topology::exanest::is_network_fpga(element)) description.config.marking = graph.marking;
  if (is_node(element))
    description.config.packet_gap =
        topology::exanest::is_network_fpga(element) ? timing_.router_gap : timing_.switch_gap;
  if (is_node(element)) description.config.routing_block = timing_.routing_block;
  description.config.ports.resize(element.ports.size());
  description.links.resize(element.ports.size());
  return description;
}

void ModelPartition::describe_port(int32_t channel, Fabric::RouterDescription& router) const {
  const system::SystemGraph& graph = context_.plan->graph;
  const system::LinkEnd& from = graph.channel_source(channel);
  const bool node = is_node(graph.elements[from.element]);
  const system::Link link = link_of(channel);
  router.config.buffer_words = std::max(router.config.buffer_words, link.buffer_words);
  const bool network = node && from.port > routing::exanest::NetworkFpgaRouting::kBoardPorts;
  // Board links are intra-tile ports of the APErouter.
  const system::Element& target = graph.elements[graph.channel_target(channel).element];
  const bool to_host = node ? !network : target.kind == system::ElementKind::kHost;
  router.config.ports[from.port] = {true, link.word_clock(), link.buffer_words, network, to_host};
  Fabric::PortLink& port = router.links[from.port];
  port.word_clock = link.word_clock();
  port.latency = link.latency;
  port.arrival_latency = link_of(channel ^ 1).latency;
  port.counters = &context_.link_counters[channel];
  port.channel = channel;
}

void ModelPartition::build_routers() {
  const system::SystemGraph& graph = context_.plan->graph;
  const system::PartitionPlan& planned = context_.plan->partitions[context_.partition];
  depth_.assign(graph.elements.size(), Depth::kNone);
  for (const system::ElementId id : planned.elements) {
    if (graph.elements[id].kind != system::ElementKind::kHost) depth_[id] = Depth::kWords;
  }
  for (const system::ElementId id : planned.packets) depth_[id] = Depth::kPackets;
  std::vector<int32_t> position(graph.elements.size(), -1);
  std::vector<Fabric::RouterDescription> routers;
  uint32_t ports = 0;
  for (size_t id = 0; id < graph.elements.size(); ++id) {
    if (depth_[id] == Depth::kWords) {
      position[id] = static_cast<int32_t>(routers.size());
      routers.push_back(describe(graph.elements[id]));
      routers.back().first_port = ports;
    }
    ports += static_cast<uint32_t>(graph.elements[id].ports.size());
  }
  fabric_ports_.assign(static_cast<size_t>(graph.channel_count()), -1);
  int32_t externals = 0;
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel) {
    const system::LinkEnd& from = graph.channel_source(channel);
    const system::LinkEnd& to = graph.channel_target(channel);
    if (position[from.element] < 0) continue;
    Fabric::RouterDescription& router = routers[position[from.element]];
    describe_port(channel, router);
    Fabric::PortLink& port = router.links[from.port];
    if (position[to.element] >= 0 && !has_faults(channel)) {
      port.kind = Fabric::PortLink::Kind::kInternal;
      port.router = position[to.element];
      port.port = to.port;
    } else {
      port.kind = Fabric::PortLink::Kind::kExternal;
      port.external = externals;
      fabric_ports_[channel] = externals++;
    }
  }
  const int32_t hosts = graph.has_nodes() ? nic::kAllDestinations : graph.host_count();
  fabric_ = std::make_unique<Fabric>("fabric", graph.router_clock, std::move(routers), externals,
                                     context_.observers.packet_trace, hosts);
  if (context_.experiment->statistics.queues && fabric_->routers() > 0) fabric_->count_inputs(ports);
  // Where hosts are elsewhere, all places sample, and are put together.
  if (planned.place != 0 && !apart_) return;
  occupancy_ = observe::OccupancySeries(context_.experiment->statistics.occupancy_interval,
                                        apart_ ? modelled_routers(*context_.plan) : fabric_->routers(),
                                        fabric_->buffer_capacity());
  if (apart_) occupancy_.keep_recent();
}

router::packet::NetworkConfig ModelPartition::packet_config() const {
  const system::SystemGraph& graph = context_.plan->graph;
  router::packet::NetworkConfig config = network::node_network_config(graph);
  config.routing_block = graph.router_clock.edge(timing_.routing_block);
  config.graph = router_graph_.get();
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel) {
    const system::LinkEnd& from = graph.channel_source(channel);
    const system::Element& source = graph.elements[from.element];
    router::packet::ChannelConfig& described = config.channels.emplace_back();
    described.link = link_of(channel);
    if (!is_node(source)) continue;
    const bool network_fpga = topology::exanest::is_network_fpga(source);
    described.line = network_fpga && from.port > routing::exanest::NetworkFpgaRouting::kBoardPorts;
    // Behind the switch, a line takes a word in each cycle.
    const Clock words = described.line ? graph.router_clock : described.link.word_clock();
    described.turnaround = network::turnaround_at_packet_depth(graph.router_clock, words,
                                                               network_fpga ? timing_.router_gap : timing_.switch_gap);
  }
  return config;
}

absl::Status ModelPartition::build_packets() {
  const system::SystemGraph& graph = context_.plan->graph;
  if (context_.plan->partitions[context_.partition].packets.empty()) return absl::OkStatus();
  auto routers = std::make_unique<system::SystemGraph>(graph);
  for (system::Element& element : routers->elements) element.kind = system::ElementKind::kRouter;
  router_graph_ = std::move(routers);
  WordFabric::Config config;
  config.network = packet_config();
  for (const Depth depth : depth_) config.here.push_back(depth == Depth::kPackets);
  for (size_t id = 0; id < graph.elements.size(); ++id) {
    if (is_node(graph.elements[id])) config.nodes.push_back(static_cast<system::ElementId>(id));
  }
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel) {
    const system::LinkEnd& from = graph.channel_source(channel);
    const system::LinkEnd& to = graph.channel_target(channel);
    if (depth_[from.element] != Depth::kPackets || depth_[to.element] == Depth::kPackets) continue;
    using Peer = WordFabric::External::Peer;
    const bool host = graph.elements[to.element].kind == system::ElementKind::kHost;
    fabric_ports_[channel] = static_cast<int32_t>(config.externals.size());
    config.externals.push_back({from, host                                  ? Peer::kInterface
                                      : depth_[to.element] == Depth::kWords ? Peer::kRouter
                                                                            : Peer::kCut});
  }
  absl::StatusOr<std::unique_ptr<WordFabric>> made = WordFabric::create("packets", std::move(config));
  if (!made.ok()) return made.status();
  packets_ = *std::move(made);
  return absl::OkStatus();
}

// Each link that ends here is bound to its other end: a network interface to its router, routers of words to those that
// are packets, and all of them to cut links.
void ModelPartition::bind_links() {
  const system::SystemGraph& graph = context_.plan->graph;
  std::vector<bool> bound(static_cast<size_t>(graph.channel_count()), false);
  const auto bind_port = [&](int32_t channel, auto& outward, auto& inward) {
    const int32_t external = fabric_ports_[channel];
    if (depth_[graph.channel_source(channel).element] == Depth::kPackets) {
      packets_->out[external].bind(outward);
      inward.bind(packets_->in[external]);
    } else {
      fabric_->out[external].bind(outward);
      inward.bind(fabric_->in[external]);
    }
    bound[channel] = true;
  };
  for (const run::CutPort& port : context_.ports) {
    cut_links_.push_back(std::make_unique<kernel::CutLink>(fmt::format("cut_{}", port.sender->spec().id).c_str(),
                                                           *port.sender, *port.receiver));
    kernel::CutLink& cut = *cut_links_.back();
    const system::Element& element = graph.elements[port.element];
    if (element.kind != system::ElementKind::kHost) {
      bind_port(static_cast<int32_t>(port.sender->spec().id), cut.in, cut.out);
      continue;
    }
    host::HostInterface& interface = *interfaces_[interface_of_[port.element]];
    interface.link_out(port.port).bind(cut.in);
    cut.out.bind(interface.link_in(port.port));
    bound[port.sender->spec().id] = true;
  }
  for (const system::ElementId id : context_.plan->partitions[context_.partition].elements) {
    if (graph.elements[id].kind != system::ElementKind::kHost) continue;
    host::HostInterface& interface = *interfaces_[interface_of_[id]];
    for (int32_t port = 0; port < interface.ports(); ++port) {
      const int32_t channel = graph.channel_from(id, port);
      if (!bound[channel]) bind_port(channel ^ 1, interface.link_in(port), interface.link_out(port));
    }
  }
  if (packets_) bind_depths();
  bind_faulty_links();
}

bool ModelPartition::has_faults(int32_t channel) const {
  const system::SystemGraph& graph = context_.plan->graph;
  if (context_.faults == nullptr || depth_[graph.channel_source(channel).element] != Depth::kWords ||
      depth_[graph.channel_target(channel).element] != Depth::kWords)
    return false;
  return context_.faults->of(channel) != nullptr || context_.faults->of(channel ^ 1) != nullptr;
}

void ModelPartition::bind_faulty_links() {
  for (int32_t channel = 0; channel < context_.plan->graph.channel_count(); channel += 2) {
    if (!has_faults(channel)) continue;
    std::array<kernel::FaultyLink::Direction, 2> directions;
    for (int32_t end = 0; end < 2; ++end) {
      const system::Link link = link_of(channel + end);
      directions[static_cast<size_t>(end)] = {context_.faults->of(channel + end), link.word_clock(), link.latency};
    }
    faulty_links_.push_back(
        std::make_unique<kernel::FaultyLink>(fmt::format("faulty_{}", channel).c_str(), directions));
    kernel::FaultyLink& faulty = *faulty_links_.back();
    for (int32_t end = 0; end < 2; ++end) {
      const int32_t external = fabric_ports_[channel + end];
      fabric_->out[external].bind(faulty.in[static_cast<size_t>(end)]);
      faulty.out[static_cast<size_t>(end)].bind(fabric_->in[external]);
    }
  }
}

void ModelPartition::bind_depths() {
  const system::SystemGraph& graph = context_.plan->graph;
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel) {
    if (depth_[graph.channel_source(channel).element] != Depth::kWords ||
        depth_[graph.channel_target(channel).element] != Depth::kPackets)
      continue;
    const int32_t words = fabric_ports_[channel];
    const int32_t packets = fabric_ports_[channel ^ 1];
    fabric_->out[words].bind(packets_->in[packets]);
    packets_->out[packets].bind(fabric_->in[words]);
  }
}

}  // namespace fabrictwin::partition

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/exanet_host.h"

#include <algorithm>

#include "fmt/format.h"
#include "models/driver_layout.h"
#include "models/topology/exanest.h"

namespace fabrictwin {
namespace {

/// A driver that does not pin pages sets the retry limit for them: a block can touch two pieces of memory at either end
/// and that of its notification.
int32_t retries_for(Time fault_time, const NiTiming& timing) {
  const int64_t backoff = timing.clock.edge(timing.transfer_backoff).fs();
  return static_cast<int32_t>(5 * ((fault_time.fs() + backoff - 1) / backoff));
}

}  // namespace

ExanetHost::ExanetHost(const PartitionContext& context, const Element& host, bool modelled, const NodeTiming& timing,
                       const std::vector<NiNode>& nodes, std::string* failure) {
  const SystemGraph& graph = context.plan->graph;
  const int32_t channel = graph.channel_from(host.node, 0);
  const Link& link = graph.channel_link(channel);

  ExanetDriver::Config driver;
  driver.node = host.node;
  driver.nodes = &nodes;
  driver.take_time = link.latency;
  driver.digest = &context.digests[host.node];
  driver.failure = failure;
  driver_ = std::make_unique<ExanetDriver>(fmt::format("driver_{}", host.node).c_str(), driver);

  if (modelled) {
    ExanetNi::Config config;
    config.node = nodes[host.node];
    config.numbering = {graph.tile_bits, graph.x_bits, graph.y_bits};
    config.link = inner_link(graph, timing, graph.elements[graph.channel_target(channel).element], link);
    config.credits = config.link.buffer_words;
    config.timing = timing.ni;
    config.timing.clock = graph.router_clock;
    config.timing.host_latency = link.latency;
    const HostSpec& spec = context.experiment->host;
    // The firmware begins at an edge and takes a cycle more than `firmware` says.
    if (spec.firmware_delay.has_value()) {
      const int64_t cycles = graph.router_clock.edge_at_or_after(*spec.firmware_delay);
      config.timing.firmware = cycles == 0 ? 0 : static_cast<int32_t>(std::max<int64_t>(1, cycles - 1));
    }
    if (spec.memory.has_value()) {
      config.memory = HostMemory::Config::from(*spec.memory);
      config.timing.bursts = spec.memory->outstanding;
      if (spec.memory->page_fault_time > Time::zero()) {
        config.page_fault_time = spec.memory->page_fault_time;
        config.timing.transfer_retries += retries_for(spec.memory->page_fault_time, config.timing);
      }
    }
    config.counters = &context.link_counters[channel];
    config.configuration = driver::interfaces_for(static_cast<int32_t>(nodes.size())) + 3;
    config.client = driver_.get();
    model_ = std::make_unique<ExanetNi>(fmt::format("ni_{}", host.node).c_str(), config);
    driver_->bind_ni(model_.get());
  } else {
    RegisterNi::Config config;
    config.latency = link.latency;
    config.client = driver_.get();
    config.interfaces = driver::interfaces_for(static_cast<int32_t>(nodes.size()));
    registers_ = std::make_unique<RegisterNi>(fmt::format("registers_{}", host.node).c_str(), config);
    driver_->bind_ni(registers_.get());
  }
}

tlm::tlm_initiator_socket<>& ExanetHost::link_out(int32_t) {
  if (model_) return model_->tile_out;
  return registers_->port_out;
}

tlm::tlm_target_socket<>& ExanetHost::link_in(int32_t) {
  if (model_) return model_->tile_in;
  return registers_->port_in;
}

Link ExanetHost::inner_link(const SystemGraph& graph, const NodeTiming& timing, const Element& logic,
                            const Link& host_link) {
  Link link = host_link;
  // The host port has no words, so its rate is that of the router. What is inside of one FPGA takes no time; but it
  // arrives after the edge at which it is sent.
  link.latency = Time::from_fs(1);
  if (is_network_fpga(logic)) link.latency += graph.router_clock.edge(timing.router_port);
  link.buffer_words = graph.buffer_words;
  return link;
}

}  // namespace fabrictwin

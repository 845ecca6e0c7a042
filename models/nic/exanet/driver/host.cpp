// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/driver/host.h"

#include <algorithm>
#include <optional>

#include "fmt/format.h"
#include "models/nic/exanet/driver/layout.h"
#include "models/topology/exanest/exanest.h"

namespace fabrictwin::nic::exanet::driver {
namespace {

/// The retry limit if a driver does not pin pages: a block can access two 64 KiB blocks of memory at either end, and
/// that of its notification.
int32_t retries_for(Time fault_time, const Timing& timing) {
  const int64_t backoff = timing.clock.edge(timing.transfer_backoff).fs();
  return static_cast<int32_t>(5 * ((fault_time.fs() + backoff - 1) / backoff));
}

CcaSettings settings_of(const experiment::GapReaction& reaction) {
  static_assert(CcaSettings::kEntries == experiment::GapReaction::kEntries);
  CcaSettings settings{.enabled = true,
                       .increase = reaction.increase,
                       .limit = reaction.limit,
                       .least = reaction.least,
                       .timer = reaction.timer,
                       .shift = reaction.shift};
  for (size_t i = 0; i <= static_cast<size_t>(reaction.limit); ++i)
    settings.table[i] = static_cast<uint16_t>(reaction.table[i]);
  return settings;
}

/// The firmware begins at an edge and takes a cycle more than this says.
std::optional<int32_t> firmware_cycles(std::optional<Time> delay, const Clock& clock) {
  if (!delay.has_value()) return std::nullopt;
  const int64_t cycles = clock.edge_at_or_after(*delay);
  return cycles == 0 ? 0 : static_cast<int32_t>(std::max<int64_t>(1, cycles - 1));
}

std::optional<InterruptSettings> interrupt_of(const experiment::HostSpec& spec, const Clock& clock) {
  if (!spec.mailbox_interrupt.has_value()) return std::nullopt;
  const experiment::InterruptSpec& interrupt = *spec.mailbox_interrupt;
  return InterruptSettings{.latency = interrupt.latency,
                           .messages = interrupt.messages,
                           .delay = static_cast<int32_t>(std::min<int64_t>(clock.edge_at_or_after(interrupt.delay),
                                                                           InterruptSettings::kMostDelay))};
}

}  // namespace

Host::Host(const run::PartitionContext& context, const system::Element& host, bool modelled, const NodeTiming& timing,
           const std::vector<Node>& nodes, std::string* failure) {
  const system::SystemGraph& graph = context.plan->graph;
  const int32_t channel = graph.channel_from(host.node, 0);
  const system::Link& link = graph.channel_link(channel);
  const system::Element& logic = graph.elements[graph.channel_target(channel).element];
  CcaSettings congestion;
  if (context.experiment->hardware_congestion.has_value())
    congestion = settings_of(context.experiment->hardware_congestion->reaction);
  const bool marks = graph.marking.enabled() && topology::exanest::is_network_fpga(logic);

  const std::optional<int32_t> firmware = firmware_cycles(context.experiment->host.firmware_delay, graph.router_clock);

  Driver::Config driver;
  driver.node = host.node;
  driver.nodes = &nodes;
  driver.take_time = link.latency;
  driver.digest = &context.digests[host.node];
  driver.failure = failure;
  driver.reduce_timeout =
      static_cast<uint32_t>(graph.router_clock.edge_at_or_after(context.experiment->host.allreduce_timeout));
  driver.receive_windows = context.experiment->host.receive_windows;
  const int32_t ring_entries = context.experiment->host.memory_ring_entries;
  const std::optional<InterruptSettings> interrupt = interrupt_of(context.experiment->host, graph.router_clock);
  driver.rings_in_memory = ring_entries > 0;
  driver_ = std::make_unique<Driver>(fmt::format("driver_{}", host.node).c_str(), driver);

  if (modelled) {
    Ni::Config config;
    config.node = nodes[host.node];
    config.numbering = {graph.tile_bits, graph.x_bits, graph.y_bits};
    config.link = inner_link(graph, timing, logic, link);
    config.credits = config.link.buffer_words;
    config.timing = timing.ni;
    config.timing.clock = graph.router_clock;
    config.timing.host_latency = link.latency;
    const experiment::HostSpec& spec = context.experiment->host;
    if (firmware.has_value()) config.timing.firmware = *firmware;
    config.timing.translation_cache = spec.translation_cache;
    if (spec.memory.has_value()) {
      config.memory = memory::HostMemory::Config::from(*spec.memory);
      config.timing.bursts = spec.memory->outstanding;
      if (spec.memory->page_fault_time > Time::zero()) {
        config.page_fault_time = spec.memory->page_fault_time;
        config.timing.transfer_retries += retries_for(spec.memory->page_fault_time, config.timing);
      }
    }
    config.counters = &context.link_counters[channel];
    if (ring_entries > 0) config.mailbox = {.depth = ring_entries, .in_memory = true};
    config.mailbox.interrupt = interrupt;
    config.configuration = driver::interfaces_for(static_cast<int32_t>(nodes.size())) +
                           kMailboxes * RegisterMailbox::configuration_writes(ring_entries > 0) +
                           (interrupt.has_value() ? RegisterMailbox::kInterruptWrites : 0) + 1 + congestion.writes() +
                           (marks ? RegisterNi::kMarkingWrites : 0) + (firmware.value_or(0) > 0 ? 1 : 0) +
                           (spec.translation_cache ? 1 : 0);
    config.congestion = congestion;
    config.client = driver_.get();
    model_ = std::make_unique<Ni>(fmt::format("ni_{}", host.node).c_str(), config);
    driver_->bind_ni(model_.get());
    model_->bind_reducer(driver_->bind_reducer(model_.get()));
  } else {
    RegisterNi::Config config;
    config.latency = link.latency;
    config.client = driver_.get();
    config.interfaces = driver::interfaces_for(static_cast<int32_t>(nodes.size()));
    config.congestion = congestion;
    config.firmware = firmware.value_or(0);
    config.translation_cache = context.experiment->host.translation_cache;
    if (const auto& memory = context.experiment->host.memory; memory.has_value())
      config.memory = memory::HostMemory::Config::from(*memory);
    config.interrupt = interrupt;
    if (ring_entries > 0) {
      config.mailbox_depth = static_cast<uint32_t>(ring_entries);
      config.rings_in_memory = true;
    }
    if (marks) config.marking = graph.marking;
    registers_ = std::make_unique<RegisterNi>(fmt::format("registers_{}", host.node).c_str(), config);
    driver_->bind_ni(registers_.get());
    registers_->bind_reducer(driver_->bind_reducer(registers_.get()));
  }
}

host::ControlCounters Host::control() const {
  constexpr uint64_t kNoticeBytes = 2 * link::kWordBytes;
  const uint64_t notices = model_ ? model_->counters().notices : registers_->notices();
  return {.marks = notices, .notices = notices, .bytes = notices * kNoticeBytes};
}

// RTL counts its own.
observe::Repeats Host::repeats() const {
  if (!model_) return {};
  return {.messages = model_->packetizer().copies(), .blocks = model_->rdma_sender().repeated()};
}

tlm::tlm_initiator_socket<>& Host::link_out(int32_t) {
  if (model_) return model_->tile_out;
  return registers_->port_out;
}

tlm::tlm_target_socket<>& Host::link_in(int32_t) {
  if (model_) return model_->tile_in;
  return registers_->port_in;
}

system::Link Host::inner_link(const system::SystemGraph& graph, const NodeTiming& timing, const system::Element& logic,
                              const system::Link& host_link) {
  system::Link link = host_link;
  // The host port has no words, so its rate is that of the router. Links inside one FPGA take no time, but arrivals
  // must come after the edge at which they were sent.
  link.latency = Time::from_fs(1);
  if (topology::exanest::is_network_fpga(logic)) link.latency += graph.router_clock.edge(timing.router_port);
  link.buffer_words = graph.buffer_words;
  return link;
}

}  // namespace fabrictwin::nic::exanet::driver

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/exanet/fabric.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::router::exanet {

Fabric::Fabric(const sc_core::sc_module_name& name, Clock clock, std::vector<RouterDescription> routers,
               int32_t externals, observe::PacketTrace* packet_trace, int32_t hosts)
    : sc_module(name),
      in("in", externals),
      out("out", externals),
      clock_(clock),
      packet_trace_(packet_trace),
      hosts_(hosts),
      externals_(static_cast<size_t>(externals)) {
  for (size_t r = 0; r < routers.size(); ++r) {
    RouterDescription& description = routers[r];
    description.config.index = static_cast<int32_t>(r);
    const auto connected = std::ranges::count_if(description.config.ports, &Router::PortConfig::connected);
    capacity_ = std::max<int64_t>(capacity_, connected * link::kVcs * description.config.buffer_words);
    for (size_t p = 0; p < description.links.size(); ++p) {
      if (description.links[p].kind == PortLink::Kind::kExternal) {
        externals_[description.links[p].external] = {static_cast<int32_t>(r), static_cast<int32_t>(p)};
      }
    }
    links_.push_back(std::move(description.links));
    first_ports_.push_back(description.first_port);
    routers_.push_back(Router::create(std::move(description.config), *this));
  }
  wake_.assign(routers_.size(), Router::kNever);
  for (int32_t i = 0; i < externals; ++i) in[i].register_b_transport(this, &Fabric::receive, i);
}

Time Fabric::next_time() const {
  const int64_t cycle = wheel_.next_cycle();
  return cycle == kernel::TimingWheel::kNever ? Time::never() : clock_.edge(cycle);
}

void Fabric::run(Time until) {
  while (!failed() && next_time() < until) process();
}

// Routers cannot see each other within a cycle, as every link has a latency, so their order does not matter.
void Fabric::process() {
  const int64_t cycle = wheel_.next_cycle();
  for (const int32_t r : wheel_.take()) {
    if (wake_[r] != cycle) continue;  // It was woken earlier, or is in the bucket twice.
    wake_[r] = Router::kNever;
    Router& router = *routers_[r];
    router.step(cycle);
    events_.add(1);
    if (input_meter_ != nullptr) [[unlikely]]
      meter_inputs(r, cycle);
    if (!router.failure().empty()) {
      const Time at = clock_.edge(cycle);
      failure_.add(at.fs(), static_cast<uint32_t>(r),
                   fmt::format("at {}: {}, {}", to_string(at), router.name(), router.failure()));
    }
    if (router.next_cycle() != Router::kNever) wake(r, router.next_cycle());
  }
}

// Between steps of a router, nothing comes into its buffers and nothing leaves them.
void Fabric::meter_inputs(int32_t router, int64_t cycle) {
  const size_t first = first_ports_[router];
  for (size_t port = 0; port < links_[router].size(); ++port)
    input_meter_->set(first + port, routers_[router]->buffered_words(static_cast<int32_t>(port)), cycle);
}

void Fabric::wake(int32_t router, int64_t cycle) {
  if (cycle >= wake_[router]) return;
  wake_[router] = cycle;
  wheel_.add(cycle, router);
}

void Fabric::transmit(int32_t router, int32_t port, int64_t slot, uint8_t vc, uint8_t flags, const link::Word& word) {
  const PortLink& link = links_[router][port];
  link.counters->words.add(1);
  if ((flags & link::kEndOfPacket) != 0) link.counters->packets.add(1);
  if (packet_trace_ != nullptr && (flags & link::kStartOfPacket) != 0) follow(link, slot, word);
  if (link.kind == PortLink::Kind::kInternal) {
    wake(link.router, routers_[link.router]->receive_word(link.port, link.word_clock.edge(slot + 1) + link.latency, vc,
                                                          flags, word));
    return;
  }
  sc_core::sc_time delay;
  out[link.external]->b_transport(transaction_.burst(&word, 1, slot, vc, flags), delay);
}

void Fabric::follow(const PortLink& link, int64_t slot, const link::Word& header) {
  const observe::PacketTrace::Key key = nic::packet_key(link::PacketHeader::decode(header), hosts_);
  if (!packet_trace_->wants(key)) return;
  packet_trace_->move(key, {link.channel, link.word_clock.edge(slot), link.word_clock.edge(slot + 1) + link.latency});
}

void Fabric::return_credit(int32_t router, int32_t port, int64_t cycle, uint8_t vc, uint8_t count) {
  const PortLink& link = links_[router][port];
  const Time sent = clock_.edge(cycle);
  if (link.kind == PortLink::Kind::kInternal) {
    wake(link.router, routers_[link.router]->receive_credit(link.port, sent + link.latency, vc, count));
    return;
  }
  sc_core::sc_time delay;
  out[link.external]->b_transport(transaction_.credit(sent, vc, count), delay);
}

void Fabric::receive(int external, tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  const auto* extension = payload.get_extension<kernel::LinkExtension>();
  if (extension == nullptr) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  const External& end = externals_[external];
  const PortLink& link = links_[end.router][end.port];
  Router& router = *routers_[end.router];
  if (extension->kind == link::RecordKind::kCredit) {
    wake(end.router,
         router.receive_credit(end.port, extension->sent + link.arrival_latency, extension->vc, extension->count));
  } else {
    for_each_word(payload, *extension, [&](int64_t slot, uint8_t flags, const link::Word& word) {
      const Time arrival = link.word_clock.edge(slot + 1) + link.arrival_latency;
      wake(end.router, router.receive_word(end.port, arrival, extension->vc, flags, word));
    });
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

observe::BufferFill Fabric::buffer_fill() const {
  return observe::BufferFill::of(routers(), [this](int32_t router) { return routers_[router]->buffered_words(); });
}

void Fabric::update_counters(Time /*time*/, std::span<link::LinkCounters> /*counters*/) const {
  for (size_t r = 0; r < routers_.size(); ++r) {
    for (size_t p = 0; p < links_[r].size(); ++p) {
      if (links_[r][p].counters != nullptr) {
        links_[r][p].counters->credit_stall_cycles.set(routers_[r]->credit_stall_cycles(static_cast<int32_t>(p)));
      }
    }
  }
}

}  // namespace fabrictwin::router::exanet

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/iq_router.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin {

IqRouter::IqRouter(const IqRouterSpec& spec, int32_t index, const IqRouting& routing,
                   const std::vector<IqPacket>& packets)
    : spec_(spec),
      // Whole packets, and parts of one more at either end.
      fifo_packets_(spec.buffer_flits / spec.min_packet_flits + 2),
      index_(index),
      routing_function_(routing),
      packets_(packets),
      vc_mask_(iq_bit(spec.vcs) - 1),
      round_robin_(spec.arbitration == IqArbitration::kRoundRobin),
      holds_(spec.switching == IqSwitching::kVirtualCutThrough),
      vc_pointers_(spec.ports * spec.vcs, spec.ports * spec.vcs),
      switch_pointers_(spec.ports, spec.ports) {
  const auto ports = static_cast<size_t>(spec.ports);
  const size_t channels = ports * static_cast<size_t>(spec.vcs);
  inputs_.resize(channels);
  outputs_.resize(channels);
  for (size_t i = 0; i < channels; ++i) {
    inputs_[i].port = outputs_[i].port = static_cast<uint16_t>(i / static_cast<size_t>(spec.vcs));
    outputs_[i].credits = static_cast<uint16_t>(spec.buffer_flits);
  }
  packet_fifo_.resize(channels * static_cast<size_t>(fifo_packets_));
  candidates_.resize(channels);
  waiters_.resize(channels);
  stalled_since_.resize(channels);
  requests_.resize(ports);
  next_vc_.resize(ports);
  vc_grants_.resize(channels);
  port_grants_.resize(ports);
  stall_cycles_.resize(ports);
  matches_.reserve(channels);
}

void IqRouter::receive_head(int64_t cycle, int32_t i, uint32_t packet) {
  InputVc& input = inputs_[i];
  int32_t last = input.first + input.packets;
  if (last >= fifo_packets_) last -= fifo_packets_;
  packet_fifo_[i * fifo_packets_ + last] = packet;
  if (input.packets++ > 0) return;
  if (spec_.routing_delay == 0) {
    route(cycle - 1, iq_bit(i));
  } else {
    routing_ |= iq_bit(i);
  }
}

// A flit has come for a packet whose flits had all left.
void IqRouter::continue_packet(int64_t cycle, int32_t i) {
  const InputVc& input = inputs_[i];
  if (input.packets == 0) return fail(i, "a packet begins without a head");
  if (outputs_[input.output].credits > 0) {
    request(i, input.out_port);
  } else {
    stalled_since_[input.output] = cycle;
  }
}

void IqRouter::end_stall(int64_t cycle, int32_t o) {
  const OutputVc& output = outputs_[o];
  if (inputs_[output.owner].size == 0) return;
  stall_cycles_[output.port] += static_cast<uint64_t>(cycle - stalled_since_[o]);
  request(output.owner, output.port);
}

int32_t IqRouter::pick(uint64_t inputs, int32_t start) const {
  if (round_robin_) return first_from(inputs, start);
  if (spec_.arbitration == IqArbitration::kFixed) return std::countr_zero(inputs);
  int32_t oldest = -1;
  for_each_bit(inputs, [&](int32_t i) {
    if (oldest < 0) {
      oldest = i;
      return;
    }
    const IqPacket& a = packets_[front_packet(i)];
    const IqPacket& b = packets_[front_packet(oldest)];
    if (a.created < b.created || (a.created == b.created && a.source < b.source)) oldest = i;
  });
  return oldest;
}

void IqRouter::match_vcs() {
  uint64_t granted = 0;
  for_each_bit(va_check_, [&](int32_t o) {
    const OutputVc& output = outputs_[o];
    uint64_t waiters = output.owner < 0 ? waiters_[o] : 0;
    if (holds_) {
      for_each_bit(waiters, [&](int32_t i) {
        if (packets_[front_packet(i)].flits > output.credits) waiters &= ~iq_bit(i);
      });
    }
    if (waiters == 0) {
      va_check_ &= ~iq_bit(o);
      return;
    }
    const int32_t i = pick(waiters, vc_pointers_.grant(o));
    if ((granted & iq_bit(i)) == 0) vc_grants_[i] = 0;
    granted |= iq_bit(i);
    vc_grants_[i] |= iq_bit(o);
  });
  for_each_bit(granted, [&](int32_t i) {
    const int32_t o = first_from(vc_grants_[i], round_robin_ ? vc_pointers_.accept(i) : 0);
    vc_pointers_.accepted(i, o);
    matches_.push_back({i, o});
  });
}

void IqRouter::take_vcs(int64_t cycle) {
  for (const Match& match : matches_) {
    const int32_t i = match.input;
    const int32_t o = match.output;
    InputVc& input = inputs_[i];
    OutputVc& output = outputs_[o];
    for_each_bit(candidates_[i], [&](int32_t other) { waiters_[other] &= ~iq_bit(i); });
    output.owner = static_cast<int16_t>(i);
    input.output = static_cast<int16_t>(o);
    input.out_port = output.port;
    va_check_ &= ~iq_bit(o);
    if (output.credits > 0) {
      request(i, output.port);
    } else {
      stalled_since_[o] = cycle + 1;
    }
  }
  matches_.clear();
}

void IqRouter::release_switch(int32_t port, int32_t output) {
  const uint64_t vcs = vc_mask_ << (port * spec_.vcs);
  holders_ &= ~vcs;
  held_inputs_ &= ~vcs;
  held_outputs_ &= ~iq_bit(output);
}

void IqRouter::route(int64_t cycle, uint64_t inputs) {
  const int32_t longer = std::max(0, spec_.routing_delay - 1) + spec_.vc_alloc_delay - 1;
  for_each_bit(inputs, [&](int32_t i) {
    InputVc& input = inputs_[i];
    const IqPacket& packet = packets_[front_packet(i)];
    const IqRoute route = routing_function_.route(index_, packet);
    input.left = packet.flits;
    input.has_head = true;
    candidates_[i] = static_cast<uint64_t>(route.vcs) << (route.port * spec_.vcs);
    if (longer > 0) {
      routed_.push_back({cycle + 1 + longer, i});
    } else {
      wait_for_vc(i);
    }
  });
}

void IqRouter::wait_for_vc(int32_t i) {
  for_each_bit(candidates_[i], [&](int32_t o) { waiters_[o] |= iq_bit(i); });
  va_check_ |= candidates_[i];
}

void IqRouter::fail(int32_t vc, const char* what) {
  if (failure_.empty()) failure_ = fmt::format("port {}, VC {}: {}", vc / spec_.vcs, vc % spec_.vcs, what);
}

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Links of a flit network that lead to another partition.
#include "models/router/input_queued/network.h"

namespace fabrictwin::router::input_queued {

void Network::cut(End end) {
  keeps_changes_ = true;
  Output& output = outputs_[index(end)];
  output.host = kElsewhere;
  output.element = static_cast<uint32_t>(end.element);
  // A VC number here is one of this port.
  output.vc_shift = static_cast<int16_t>(end.port);
}

void Network::leave_flit(int64_t cycle, const Output& output, uint32_t packet, int32_t vc, bool head) {
  Packet& leaving = packets_[packet];
  const bool tail = ++leaving.gone == leaving.flits;
  departures_.push_back({.cycle = cycle + output.flit_delay,
                         .from = {static_cast<int32_t>(output.element), output.vc_shift},
                         .vc = vc & (iq_vc_stride(config_.router.vcs) - 1),
                         .packet = packet,
                         .head = head,
                         .tail = tail});
}

void Network::leave_credits(int64_t cycle, const Output& output, int32_t vc, int32_t count) {
  departures_.push_back({.cycle = cycle + output.credit_delay,
                         .from = {static_cast<int32_t>(output.element), output.vc_shift},
                         .vc = vc & (iq_vc_stride(config_.router.vcs) - 1),
                         .credits = count});
}

int64_t Network::link_latency(End at) const {
  return outputs_[index(at)].flit_delay - config_.router.switch_alloc_delay - config_.router.switch_delay;
}

uint32_t Network::enter_packet(const Packet& packet) {
  const uint32_t number = new_packet();
  packets_[number] = packet;
  packets_[number].in_network = true;
  packets_[number].followed = observer_ != nullptr && observer_->wants(packet);
  return number;
}

void Network::arrive_flit(int64_t cycle, End at, int32_t vc, uint32_t packet, bool head) {
  const int32_t number = at.port * iq_vc_stride(config_.router.vcs) + vc;
  arrivals_[static_cast<size_t>(cycle & mask_)].flits[0].push_back(
      {static_cast<uint32_t>(at.element) << kVcBits | static_cast<uint32_t>(number), packet << 1 | (head ? 1u : 0u)});
}

void Network::arrive_credit(int64_t cycle, End at, int32_t vc) {
  const int32_t number = at.port * iq_vc_stride(config_.router.vcs) + vc;
  arrivals_[static_cast<size_t>(cycle & mask_)].credits[0].push_back(static_cast<uint32_t>(at.element) << kVcBits |
                                                                     static_cast<uint32_t>(number));
}

void Network::arrive_message(int64_t cycle, End at, congestion::SetAsideMessage message) {
  message.port = at.port;
  arrivals_[static_cast<size_t>(cycle & mask_)].messages.push_back({static_cast<uint32_t>(at.element), false, message});
}

}  // namespace fabrictwin::router::input_queued

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/node/network_link.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "rtl/transactor/pin_slices.h"

namespace fabrictwin::rtl::node {
namespace {

constexpr int kMostCredits = 255;

}  // namespace

NetworkLink::NetworkLink(std::string element, int link, const router::PortConfig& port, Clock clock, const Pins& pins)
    : element_(std::move(element)),
      link_(link),
      port_(port),
      clock_(clock),
      pins_(pins),
      serializer_(clock, port.word_clock),
      pacer_(clock, port.word_clock),
      arrivals_(clock) {}

absl::Status NetworkLink::drive(int64_t cycle) {
  if (arrivals_.words.next_cycle() == cycle) {
    const LinkArrivals::ArrivedWord& arrived = arrivals_.words.front();
    const absl::Status status = line_.send_word({arrived.word, arrived.vc, arrived.flags});
    if (!status.ok()) return broken(cycle, port_.receiver->spec().name, status);
    arrivals_.words.pop();
  }
  if (arrivals_.credits.next_cycle() == cycle) {
    const LinkArrivals::ArrivedCredit& arrived = arrivals_.credits.front();
    line_.send_credit(arrived.vc, arrived.count, arrived.health & 7);
    arrivals_.credits.pop();
  }
  link::Word wire;
  if (!held_ && pacer_.ready(cycle) && line_.next(wire)) {
    set_pin_word(pins_.s_tdata_i, link_, wire);
    pacer_.accept(cycle);
    held_ = true;
  }
  set_pin_bit(pins_.s_tvalid_i, link_, held_);
  set_pin_bit(pins_.m_tready_i, link_, serializer_.ready(cycle));
  return absl::OkStatus();
}

absl::Status NetworkLink::accept(int64_t cycle) {
  if (held_ && pin_bit(pins_.s_tready_o, link_)) held_ = false;
  if (!pin_bit(pins_.m_tvalid_o, link_) || !serializer_.ready(cycle)) return absl::OkStatus();
  const int64_t slot = serializer_.accept(cycle);
  ApelinkLine::Arrived arrived;
  if (absl::Status status = line_.take(pin_word(pins_.m_tdata_o, link_), arrived); !status.ok())
    return broken(cycle, port_.sender->spec().name, status);
  if (arrived.has_word) {
    port_.sender->send_word(slot, arrived.word.vc, arrived.word.flags, arrived.word.word);
    if (port_.counters != nullptr) {
      port_.counters->words.add(1);
      if ((arrived.word.flags & link::kEndOfPacket) != 0) port_.counters->packets.add(1);
    }
  }
  for (uint8_t vc = 0; vc < link::kVcs; ++vc) {
    // A record has space for 255.
    for (int left = arrived.freed[vc]; left > 0; left -= kMostCredits) {
      port_.sender->send_credit(port_.word_clock.edge(slot + 1), vc, static_cast<uint8_t>(std::min(left, kMostCredits)),
                                line_.far_health());
    }
  }
  return absl::OkStatus();
}

absl::Status NetworkLink::broken(int64_t cycle, const std::string& channel, const absl::Status& status) const {
  return absl::DataLossError(fmt::format("{} at {}: {}: protocol error: {}", element_, to_string(clock_.edge(cycle)),
                                         channel, std::string(status.message())));
}

}  // namespace fabrictwin::rtl::node

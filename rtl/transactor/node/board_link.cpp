// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/node/board_link.h"

#include <utility>

#include "rtl/transactor/pin_slices.h"

namespace fabrictwin::rtl::node {

BoardLink::BoardLink(std::string element, int link, const router::PortConfig& port, Clock clock, const Pins& pins)
    : element_(std::move(element)),
      link_(link),
      port_(port),
      clock_(clock),
      pins_(pins),
      serializer_(clock, port.word_clock),
      arrivals_(clock) {}

void BoardLink::drive(int64_t cycle) {
  const bool word = arrivals_.words.next_cycle() == cycle;
  set_pin_bit(pins_.rx_valid_i, link_, word);
  if (word) {
    const LinkArrivals::ArrivedWord& arrived = arrivals_.words.front();
    set_pin_bit(pins_.rx_vc_i, link_, arrived.vc != 0);
    set_pin_bit(pins_.rx_sop_i, link_, (arrived.flags & link::kStartOfPacket) != 0);
    set_pin_bit(pins_.rx_eop_i, link_, (arrived.flags & link::kEndOfPacket) != 0);
    set_pin_word(pins_.rx_data_i, link_, arrived.word);
    arrivals_.words.pop();
  }
  const bool credit = arrivals_.credits.next_cycle() == cycle;
  set_pin_bit(pins_.credit_valid_i, link_, credit);
  if (credit) {
    const LinkArrivals::ArrivedCredit& arrived = arrivals_.credits.front();
    set_pin_bit(pins_.credit_vc_i, link_, arrived.vc != 0);
    *pins_.credit_count_i = (*pins_.credit_count_i & ~(0xffu << (8 * link_))) | uint32_t{arrived.count} << (8 * link_);
    arrivals_.credits.pop();
  }
  set_pin_bit(pins_.tx_ready_i, link_, serializer_.ready(cycle));
}

void BoardLink::accept(int64_t cycle) {
  if (!pin_bit(pins_.tx_valid_o, link_) || !serializer_.ready(cycle)) return;
  const bool eop = pin_bit(pins_.tx_eop_o, link_);
  const auto flags = static_cast<uint8_t>((pin_bit(pins_.tx_sop_o, link_) ? link::kStartOfPacket : 0) |
                                          (eop ? link::kEndOfPacket : 0));
  port_.sender->send_word(serializer_.accept(cycle), static_cast<uint8_t>(pin_bit(pins_.tx_vc_o, link_)), flags,
                          pin_word(pins_.tx_data_o, link_));
  if (port_.counters != nullptr) {
    port_.counters->words.add(1);
    if (eop) port_.counters->packets.add(1);
  }
}

void BoardLink::return_credits(int64_t cycle) {
  if (!pin_bit(pins_.credit_valid_o, link_)) return;
  port_.sender->send_credit(clock_.edge(cycle + 1), static_cast<uint8_t>(pin_bit(pins_.credit_vc_o, link_)),
                            static_cast<uint8_t>(*pins_.credit_count_o >> (8 * link_)));
}

}  // namespace fabrictwin::rtl::node

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/router_torus.h"

#include <bit>
#include <cstring>

namespace fabrictwin::bench {
namespace {

std::array<uint8_t, 3> place(int router) {
  return {static_cast<uint8_t>(router % kSide), static_cast<uint8_t>(router / kSide % kSide),
          static_cast<uint8_t>(router / kSide / kSide)};
}

int at(std::array<uint8_t, 3> place) { return place[0] + kSide * (place[1] + kSide * place[2]); }

}  // namespace

rtl::router::Identity torus_identity(int router) {
  rtl::router::Identity identity;
  identity.coordinates = place(router);
  identity.dims = {kSide, kSide, kSide};
  identity.port_enable = 0x7f;
  identity.initial_credits.fill(64);
  return identity;
}

void TorusNode::connect(std::vector<TorusNode>& nodes, int index, const rtl::router::Pins& pins, int load_percent) {
  pins_ = pins;
  index_ = index;
  load_percent_ = load_percent;
  random_ = RandomStream(1, static_cast<uint64_t>(index), RandomPurpose::kTest);
  neighbour_[0] = &tile_;
  for (int d = 0; d < 3; ++d) {
    for (int minus = 0; minus < 2; ++minus) {
      std::array<uint8_t, 3> other = place(index);
      other[d] = static_cast<uint8_t>((other[d] + (minus != 0 ? kSide - 1 : 1)) % kSide);
      // "+" leads to the neighbour's "-".
      neighbour_[1 + 2 * d + minus] = &nodes[at(other)].inbound_[2 + 2 * d - minus];
    }
  }
}

void TorusNode::inputs(int64_t cycle) {
  inject(cycle);
  const size_t now = static_cast<size_t>(cycle % kRingCycles);
  uint32_t rx_valid = 0, rx_vc = 0, rx_sop = 0, rx_eop = 0, credit_valid = 0, credit_vc = 0;
  for (int p = 0; p < rtl::router::kRouterPorts; ++p) {
    LinkSlot& slot = inbound_[p].words[now];
    if (slot.valid != 0) {
      slot.valid = 0;
      rx_valid |= 1u << p;
      rx_vc |= static_cast<uint32_t>(slot.vc) << p;
      rx_sop |= static_cast<uint32_t>(slot.sop) << p;
      rx_eop |= static_cast<uint32_t>(slot.eop) << p;
      std::memcpy(pins_.rx_data_i + 4 * p, &slot.word, sizeof(link::Word));
    }
    CreditSlot& credit = inbound_[p].credits[now];
    if (credit.valid != 0) {
      credit.valid = 0;
      credit_valid |= 1u << p;
      credit_vc |= static_cast<uint32_t>(credit.vc) << p;
      *pins_.credit_count_i = (*pins_.credit_count_i & ~(uint64_t{0xff} << (8 * p))) | uint64_t{credit.count}
                                                                                           << (8 * p);
    }
  }
  *pins_.rx_valid_i = static_cast<uint8_t>(rx_valid);
  *pins_.rx_vc_i = static_cast<uint8_t>(rx_vc);
  *pins_.rx_sop_i = static_cast<uint8_t>(rx_sop);
  *pins_.rx_eop_i = static_cast<uint8_t>(rx_eop);
  *pins_.credit_valid_i = static_cast<uint8_t>(credit_valid);
  *pins_.credit_vc_i = static_cast<uint8_t>(credit_vc);

  // The links always take what the output registers hold.
  const size_t arrival = static_cast<size_t>((cycle + kLinkCycles) % kRingCycles);
  for (uint32_t mask = *pins_.tx_valid_o; mask != 0; mask &= mask - 1) {
    const int p = std::countr_zero(mask);
    LinkSlot& slot = neighbour_[p]->words[arrival];
    std::memcpy(static_cast<void*>(&slot.word), pins_.tx_data_o + 4 * p, sizeof(link::Word));
    slot.vc = *pins_.tx_vc_o >> p & 1;
    slot.sop = *pins_.tx_sop_o >> p & 1;
    slot.eop = *pins_.tx_eop_o >> p & 1;
    slot.valid = 1;
  }
  *pins_.tx_ready_i = 0x7f;
}

void TorusNode::outputs(int64_t cycle) {
  const size_t arrival = static_cast<size_t>((cycle + 1 + kLinkCycles) % kRingCycles);
  for (uint32_t mask = *pins_.credit_valid_o; mask != 0; mask &= mask - 1) {
    const int p = std::countr_zero(mask);
    CreditSlot& slot = neighbour_[p]->credits[arrival];
    slot.vc = *pins_.credit_vc_o >> p & 1;
    slot.count = static_cast<uint8_t>(*pins_.credit_count_o >> (8 * p));
    slot.valid = 1;
  }
}

// The host behind the tile port: sends packets of 18 words with gaps that make the load, and returns the credits of
// each packet that it gets.
void TorusNode::inject(int64_t cycle) {
  const size_t now = static_cast<size_t>(cycle % kRingCycles);
  const size_t arrival = static_cast<size_t>((cycle + kLinkCycles) % kRingCycles);
  if (CreditSlot& credit = tile_.credits[now]; credit.valid != 0) {
    credit.valid = 0;
    room_[credit.vc] += credit.count;
  }
  if (LinkSlot& slot = tile_.words[now]; slot.valid != 0) {
    slot.valid = 0;
    ++received_;
    ++held_[slot.vc];
    if (slot.eop != 0) {
      inbound_[0].credits[arrival] = {1, slot.vc, held_[slot.vc]};
      held_[slot.vc] = 0;
    }
  }
  LinkSlot& slot = inbound_[0].words[arrival];
  if (words_left_ == 0) {
    if (cycle < gap_until_ || load_percent_ == 0) return;
    vc_ = static_cast<int>(random_.next() & 1);
    if (room_[vc_] < link::kMaxPacketWords) return;
    room_[vc_] -= link::kMaxPacketWords;
    words_left_ = link::kMaxPacketWords;
    const int mean_gap = link::kMaxPacketWords * (100 - load_percent_) / load_percent_;
    gap_until_ = cycle + link::kMaxPacketWords +
                 static_cast<int64_t>(random_.next_below(static_cast<uint64_t>(2 * mean_gap + 1)));
    link::PacketHeader header;
    header.coordinates = place(static_cast<int>(random_.next_below(kRouters)));
    header.payload_bytes = link::kMaxPayloadBytes;
    header.ties = static_cast<uint8_t>(random_.next_below(8));
    slot.word = header.encode();
    slot.sop = 1;
  } else {
    slot.word = {++sequence_, ~sequence_};
    slot.sop = 0;
  }
  --words_left_;
  slot.eop = words_left_ == 0;
  slot.vc = static_cast<uint8_t>(vc_);
  slot.valid = 1;
}

uint64_t received_words(const std::vector<TorusNode>& nodes) {
  uint64_t sum = 0;
  for (const TorusNode& node : nodes) sum += node.received();
  return sum;
}

}  // namespace fabrictwin::bench

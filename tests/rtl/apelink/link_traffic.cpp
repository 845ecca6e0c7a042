// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/apelink/link_traffic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace fabrictwin::test {
namespace {

constexpr uint32_t kBadMark = 0x8000'0000;

}  // namespace

LinkTraffic::LinkTraffic(LinkPins& link, const TrafficPlan& plan, uint64_t seed)
    : link_(link), plan_(plan), random_(seed), largest_words_(plan.max_payload / 16 + 2) {
  for (Side& side : sides_) {
    for (Vc& vc : side.vc) {
      vc.to_send = plan.packets;
      vc.credits = plan.buffer;
    }
  }
  link_.error_rate(plan.error_rate);
}

void LinkTraffic::run() {
  const int limit = 20'000 + plan_.packets * 2'000;
  while (cycles < limit && !done()) {
    cycle();
    if (testing::Test::HasFatalFailure()) return;
  }
  check_end();
}

void LinkTraffic::cycle() {
  for (int s = 0; s < 2; ++s) {
    change_settings(s);
    offer(s);
    return_credits(s);
    link_.stall(s, chance(plan_.stall_in), chance(plan_.stall_out));
  }
  link_.settle();
  for (int s = 0; s < 2; ++s) look_at_wire(s);
  for (int s = 0; s < 2; ++s) {
    Vc& vc = sides_[s].vc[sides_[s].last_vc];
    if (!sides_[s].offering) continue;
    if (!link_.tx_ready(s)) {
      ++coverage["transmitter full"];
      continue;
    }
    if (++vc.next == vc.packet.size()) vc.packet.clear();
  }
  link_.edge();
  ++cycles;
  for (int s = 0; s < 2; ++s) {
    receive(s);
    take_credits(s);
    Side& side = sides_[s];
    for (int v = 0; v < 2; ++v) {
      const int used = link_.used(s, v);
      if (used > side.used[v]) {
        ASSERT_LE(used, std::max(side.tred[v], 34)) << "above TRED";
        if (used > 255) ++coverage["more in use than short counts say"];
      }
      side.used[v] = used;
    }
  }
}

void LinkTraffic::change_settings(int s) {
  Side& side = sides_[s];
  if (below(1000) < plan_.tred_change) {
    const int v = below(2);
    // Now and then below the largest packet, which counts as that.
    side.tred[v] = chance(50) ? 0xFFFF : 20 + below(40);
    link_.tred(s, v, side.tred[v]);
    ++coverage[side.tred[v] < 34 ? "TRED below a packet" : "TRED changed"];
  }
  if (below(1000) < plan_.health_change) side.health = below(8);
  link_.health(s, side.health);
}

void LinkTraffic::start_packet(Vc& vc) {
  static constexpr std::array<int, 6> kNamed = {0, 1, 15, 16, 17, 256};
  int bytes = chance(30) ? kNamed[below(6)] : below(plan_.max_payload + 1);
  if (chance(10)) bytes = plan_.max_payload;
  if (plan_.fixed_payload >= 0) bytes = plan_.fixed_payload;
  const int words = (bytes + 15) / 16 + 2;
  // Virtual cut-through: room for the largest packet.
  if (vc.credits < largest_words_) return;
  vc.credits -= words;
  vc.packet.resize(static_cast<size_t>(words));
  vc.next = 0;
  for (Word& word : vc.packet) {
    for (uint32_t& unit : word) unit = static_cast<uint32_t>(random_());
  }
  vc.packet[0][1] = (vc.packet[0][1] & ~0x3FF'0000U) | (static_cast<uint32_t>(bytes) << 16);
  vc.packet.back()[3] &= ~kBadMark;
  if (bytes == 0) ++coverage["no payload"];
  if (bytes == plan_.max_payload) ++coverage["largest payload"];
  if (bytes % 16 != 0) ++coverage["partial word"];
  vc.offered.push_back(vc.packet);
  --vc.to_send;
}

void LinkTraffic::offer(int s) {
  Side& side = sides_[s];
  side.offering = false;
  if (!chance(plan_.send)) return;
  std::array<bool, 2> has{};
  for (int v = 0; v < 2; ++v) {
    Vc& vc = side.vc[v];
    if (vc.packet.empty() && vc.to_send > 0) start_packet(vc);
    has[v] = !vc.packet.empty();
  }
  if (!has[0] && !has[1]) return;
  const int v = has[0] && has[1] ? 1 - side.last_vc : (has[1] ? 1 : 0);
  if (has[0] && has[1]) ++coverage["VCs interleaved"];
  side.last_vc = v;
  side.offering = true;
  const Vc& vc = side.vc[v];
  link_.tx(s, {v, vc.next == 0, vc.next + 1 == vc.packet.size(), false, vc.packet[vc.next]});
}

void LinkTraffic::return_credits(int s) {
  Side& side = sides_[s];
  for (Vc& vc : side.vc) {
    if (vc.held > 0 && chance(plan_.drain)) {
      const int words = 1 + below(vc.held);
      vc.held -= words;
      vc.freed += words;
    }
  }
  const int v = below(2);
  Vc& vc = side.vc[v];
  if (vc.freed == 0 || !chance(plan_.drain)) return;
  if (vc.freed > 255) ++coverage["more freed at once than short counts say"];
  link_.credit(s, v, vc.freed);
  vc.freed = 0;
}

void LinkTraffic::look_at_wire(int s) {
  const auto word = link_.wire(s);
  if (!word) {
    if (sides_[s].parser.packets.size() > 0 && cycles > 100) ++coverage["no word for the wire"];
    return;
  }
  Side& side = sides_[s];
  const auto units = side.parser.parse(*word);
  ASSERT_EQ(side.parser.error, "");
  coverage["long credit words"] += std::exchange(side.parser.long_frames, 0);
  // A packet that begins must be the oldest that its VC offered; the rest of it is compared at the far side.
  while (side.wire_packets < side.parser.packets.size()) {
    const int v = side.parser.packets[side.wire_packets].vc;
    Vc& vc = side.vc[v];
    ASSERT_FALSE(vc.offered.empty()) << "a packet that nobody sent";
    ++side.wire_packets;
    vc.on_wire.push_back(std::make_shared<Sent>(Sent{vc.offered.front()}));
    vc.offered.pop_front();
    if (side.hit_early == static_cast<int>(side.current.size())) vc.on_wire.back()->frame_hit = true;
    side.current.push_back(vc.on_wire.back());
  }
  if (plan_.damage > 0 && below(10'000) < plan_.damage) damage(s, units);
}

void LinkTraffic::damage(int s, const std::array<Unit, 4>& units) {
  Side& side = sides_[s];
  const int u = below(4);
  const Unit unit = units[u];
  const std::shared_ptr<Sent> packet =
      unit.packet >= 0 && unit.packet < static_cast<int>(side.current.size()) ? side.current[unit.packet] : nullptr;
  const int first = below(32);
  switch (unit.kind) {
    case UnitKind::kIdle:
      ++coverage["idle damaged"];
      break;
    case UnitKind::kCreditFrame:
      ++coverage["credit word damaged"];
      break;
    case UnitKind::kFrame: {
      // A lone Magic at the end of a word: its packet is not known yet.
      if (packet == nullptr) side.hit_early = unit.packet;
      if (packet != nullptr) packet->frame_hit = true;
      const bool is_start = u > 0 && units[u - 1].kind == UnitKind::kFrame && units[u - 1].packet == unit.packet;
      ++coverage[is_start ? "Start damaged" : "Magic or Start damaged"];
      break;
    }
    case UnitKind::kHeader:
      if (packet->header_flips >= 2) return;
      ++packet->header_flips;
      if (packet->header_flips == 1 && chance(50)) {
        link_.flip(s, 32 * u + (first + 1 + below(31)) % 32);
        ++packet->header_flips;
      }
      ++coverage[packet->header_flips == 2 ? "header damaged twice" : "header damaged once"];
      break;
    case UnitKind::kCrc:
      ++packet->body_flips;
      ++coverage["CRC damaged"];
      break;
    case UnitKind::kFooter:
      ++packet->body_flips;
      ++coverage["footer damaged"];
      break;
    default:
      ++packet->body_flips;
      ++coverage["payload damaged"];
      break;
  }
  link_.flip(s, 32 * u + first);
}

void LinkTraffic::receive(int s) {
  const auto word = link_.rx(s);
  if (!word) return;
  Vc& vc = sides_[s].vc[word->vc];
  Vc& from = sides_[1 - s].vc[word->vc];
  ++vc.held;
  ASSERT_LE(vc.held + vc.freed, plan_.buffer) << "more words than the buffer holds";
  ASSERT_EQ(word->sop, !vc.receiving) << "packets interleave within a VC";
  if (word->sop) {
    if (plan_.error_rate == 0) {
      while (!from.on_wire.empty() && from.on_wire.front()->lost()) from.on_wire.pop_front();
    } else {
      // The one that it is; those before it were lost.
      while (!from.on_wire.empty() && from.on_wire.front()->words[0] != word->data) from.on_wire.pop_front();
    }
    ASSERT_FALSE(from.on_wire.empty()) << "a packet that nobody sent";
    vc.expected = from.on_wire.front();
    from.on_wire.pop_front();
    vc.receiving = true;
    vc.received = 0;
    if (vc.expected->header_flips == 1) ++coverage["header corrected"];
    for (const Vc& other : sides_[s].vc) {
      if (&other != &vc) {
        ASSERT_FALSE(other.receiving) << "packets mixed";
      }
    }
  }
  const bool last = vc.received + 1 == vc.expected->words.size();
  ASSERT_EQ(word->eop, last);
  Word expected = vc.expected->words[vc.received++];
  const bool known = plan_.error_rate == 0;
  if (known && vc.expected->body_flips == 0) {
    ASSERT_EQ(word->data, expected);
  }
  if (!word->sop && !last) ++payload_words[s];
  if (last) {
    vc.receiving = false;
    ASSERT_EQ(word->bad, (word->data[3] & kBadMark) != 0);
    if (known) {
      ASSERT_EQ(word->bad, vc.expected->body_flips > 0);
    }
    if (word->bad) ++coverage["footer marked"];
  } else {
    ASSERT_FALSE(word->bad);
  }
}

void LinkTraffic::take_credits(int s) {
  Side& side = sides_[s];
  const auto credit = link_.credit_out(s);
  if (!credit) return;
  side.vc[credit->vc].credits += credit->count;
  ASSERT_LE(side.vc[credit->vc].credits, plan_.buffer) << "credits out of nothing";
  if (credit->health != side.seen_health) ++coverage["health changed"];
  side.seen_health = credit->health;
}

bool LinkTraffic::done() const {
  for (const Side& side : sides_) {
    for (const Vc& vc : side.vc) {
      if (vc.to_send > 0 || !vc.packet.empty() || !vc.offered.empty() || vc.credits != plan_.buffer || vc.held > 0 ||
          vc.freed > 0 || vc.receiving) {
        return false;
      }
    }
  }
  return sides_[0].seen_health == sides_[1].health && sides_[1].seen_health == sides_[0].health;
}

void LinkTraffic::check_end() {
  for (int s = 0; s < 2; ++s) {
    Side& side = sides_[s];
    const Side& far = sides_[1 - s];
    EXPECT_EQ(side.seen_health, far.health);
    for (int v = 0; v < 2; ++v) {
      const Vc& vc = side.vc[v];
      EXPECT_EQ(vc.to_send, 0);
      EXPECT_TRUE(vc.packet.empty()) << "side " << s << " VC " << v << ": the transmitter is stuck";
      EXPECT_TRUE(vc.offered.empty()) << "packets never sent";
      EXPECT_FALSE(vc.receiving);
      EXPECT_EQ(vc.credits, plan_.buffer) << "side " << s << " VC " << v << ": credits lost";
      EXPECT_EQ(link_.used(s, v), 0);
      if (plan_.error_rate == 0) {
        for (const auto& packet : vc.on_wire) EXPECT_TRUE(packet->lost()) << "packet lost on VC " << v;
      }
    }
    if (plan_.error_rate == 0) {
      EXPECT_FALSE(link_.error(s));
    }
    const LinkCounters counters = link_.counters(s);
    EXPECT_EQ(counters.packets_sent, 2U * static_cast<unsigned>(plan_.packets));
    coverage["stalled for credits"] += static_cast<int>(counters.stalls);
    coverage["resynchronised"] += static_cast<int>(counters.resyncs);
    coverage["header uncorrectable"] += static_cast<int>(counters.uncorrectable);
    coverage["CRC wrong"] += static_cast<int>(counters.crc_errors);
    coverage["packets lost"] += static_cast<int>(counters.packets_sent - link_.counters(1 - s).packets_received);
  }
}

}  // namespace fabrictwin::test

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/ni/ni_network.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fabrictwin::test {
namespace {

constexpr uint64_t kMark = uint64_t{1} << 32;  ///< In the upper half of a footer.

}  // namespace

NiNetwork::NiNetwork(uint64_t seed, const NiStalls& stalls, int credits) : random_(seed) {
  for (int d = 0; d < 2; ++d) {
    devices_[static_cast<size_t>(d)] = std::make_unique<NiDevice>(node(d), seed + static_cast<uint64_t>(d), credits);
  }
  set_stalls(stalls);
}

void NiNetwork::set_stalls(const NiStalls& stalls) {
  stalls_ = stalls;
  for (auto& device : devices_) device->set_axi_free(stalls.axi);
}

void NiNetwork::inject(int to, const std::vector<NiLinkWord>& words, int delay) {
  const size_t vc = static_cast<size_t>(words.front().vc);
  auto& arriving = sides_[static_cast<size_t>(to)].arriving[vc];
  int64_t when = now_ + delay;
  if (!arriving.empty()) when = std::max(when, arriving.rbegin()->first);
  arriving.emplace(when, Flight{words, std::nullopt});
}

void NiNetwork::send_rdma(int from, const NiPacket& packet) {
  for (const NiLinkWord& word : ni_frame(packet.words(), packet.vc)) {
    sides_[static_cast<size_t>(from)].rdma[static_cast<size_t>(packet.vc)].push_back(word);
  }
}

std::optional<NiLinkWord> NiNetwork::next_word(int d) {
  Side& side = sides_[static_cast<size_t>(d)];
  if (!chance(stalls_.rx)) return std::nullopt;
  size_t vc = random_() % 2;
  // With one VC at work it is always that one, so a full rate is possible.
  for (int tries = 0; tries < 2; ++tries, vc = 1 - vc) {
    if (!side.current[vc]) {
      auto& arriving = side.arriving[vc];
      if (arriving.empty() || arriving.begin()->first > now_) continue;
      side.current[vc] = std::move(arriving.begin()->second);
      side.next[vc] = 0;
      arriving.erase(arriving.begin());
    }
    if (side.room[vc] == 0) continue;
    --side.room[vc];
    if (side.current[1 - vc] && side.next[1 - vc] > 0) ++mixed_;
    const NiLinkWord word = side.current[vc]->words[side.next[vc]++];
    if (side.next[vc] == side.current[vc]->words.size()) {
      if (side.current[vc]->packet) on_delivered(d, *side.current[vc]->packet);
      side.current[vc].reset();
    }
    return word;
  }
  return std::nullopt;
}

NiInputs NiNetwork::inputs(Side& side) {
  NiInputs in;
  in.tx_ready = chance(stalls_.tx);
  in.rdma_ready = chance(stalls_.rdma);
  const size_t vc = random_() % 2;
  if (credits_flow_ && side.held[vc] > 0 && chance(stalls_.credit)) {
    const int count = 1 + static_cast<int>(random_() % static_cast<uint64_t>(side.held[vc]));
    in.credit = {static_cast<int>(vc), count};
    side.held[vc] -= count;
  }
  for (size_t vc = 0; vc < 2; ++vc) {
    if (!side.rdma[vc].empty()) in.rdma[vc] = side.rdma[vc].front();
  }
  return in;
}

void NiNetwork::forward(int from, const std::vector<NiWord>& words, int vc) {
  const std::optional<NiPacket> packet = NiPacket::parse(words, vc);
  ASSERT_TRUE(packet.has_value()) << "device " << from << " sent something that is no packet";
  EXPECT_EQ(packet->source, node(from));
  on_sent(from, *packet);
  const NiFate what = fate(from, *packet);
  if (what.drop) return;
  Side& to = sides_[static_cast<size_t>(1 - from)];
  const int out_vc = what.vc < 0 ? vc : what.vc;
  for (int copy = 0; copy < what.copies; ++copy) {
    int64_t when = now_ + what.delay;
    if (packet->kind != kKindAck && packet->kind != kKindNack) {
      int64_t& last = to.last_release[packet->kind == kKindMessage ? packet->channel : 1000 + out_vc];
      when = last = std::max(when, last);
    }
    Flight flight{ni_frame(words, out_vc), packet};
    // A router marks every third short packet; nothing depends on it.
    if (flight.words.front().word.lo >> 61 == 0 && ++sent_ % 3 == 0) flight.words.back().word.hi |= kMark;
    // Any bit but the mark, which means no damage.
    if (what.corrupt) {
      NiLinkWord& word = flight.words[random_() % flight.words.size()];
      int bit = static_cast<int>(random_() % 128);
      if (word.eop && bit == 96) ++bit;
      (bit < 64 ? word.word.lo : word.word.hi) ^= uint64_t{1} << (bit % 64);
      flight.packet.reset();
    }
    to.arriving[static_cast<size_t>(out_vc)].emplace(when, std::move(flight));
  }
}

void NiNetwork::outputs(int d, const NiOutputs& out) {
  Side& side = sides_[static_cast<size_t>(d)];
  if (out.credit_stall != 0) ++side.stall_cycles;
  if (out.tx) {
    const size_t vc = static_cast<size_t>(out.tx->vc);
    ++side.held[vc];
    EXPECT_LE(side.held[vc], kNiBufferWords) << "more words than credits";
    EXPECT_EQ(out.tx->sop, side.leaving[vc].empty());
    side.leaving[vc].push_back(out.tx->word);
    if (out.tx->eop) {
      forward(d, side.leaving[vc], static_cast<int>(vc));
      side.leaving[vc].clear();
    }
  }
  if (out.credit) {
    int& room = side.room[static_cast<size_t>(out.credit->first)];
    room += out.credit->second;
    EXPECT_LE(room, kNiBufferWords) << "credits for words that were not sent";
  }
  if (out.rdma) {
    EXPECT_EQ(out.rdma->sop, side.rdma_packet.empty());
    side.rdma_packet.push_back(out.rdma->word);
    if (out.rdma->eop) {
      on_rdma(d, side.rdma_packet);
      side.rdma_packet.clear();
    }
  }
  for (size_t vc = 0; vc < 2; ++vc) {
    if (out.rdma_taken[vc]) side.rdma[vc].pop_front();
  }
  if (out.event) on_event(d, *out.event);
  side.interrupt = out.interrupt;
}

void NiNetwork::cycle() {
  for (int d = 0; d < 2; ++d) {
    NiInputs in = inputs(sides_[static_cast<size_t>(d)]);
    in.rx = next_word(d);
    outputs(d, device(d).cycle(in));
  }
  ++now_;
}

bool NiNetwork::drain(int limit) {
  int quiet = 0;
  for (int k = 0; k < limit && quiet < 64; ++k) {
    cycle();
    bool busy = false;
    for (int d = 0; d < 2; ++d) {
      const Side& side = sides_[static_cast<size_t>(d)];
      busy = busy || device(d).host_queue() > 0 || !side.rdma[0].empty() || !side.rdma[1].empty();
      for (size_t vc = 0; vc < 2; ++vc) {
        busy = busy || !side.arriving[vc].empty() || side.current[vc] || side.held[vc] > 0 || !side.leaving[vc].empty();
        busy = busy || side.room[vc] != kNiBufferWords;
      }
    }
    quiet = busy ? 0 : quiet + 1;
  }
  return quiet == 64;
}

void NiNetwork::finish_host(int d, int limit) {
  for (int k = 0; k < limit && device(d).host_queue() > 0; ++k) cycle();
  ASSERT_EQ(device(d).host_queue(), 0u) << "the host port is stuck";
}

uint64_t NiNetwork::read(int d, uint32_t address) {
  uint64_t value = 0;
  device(d).read(address, [&value](uint64_t data, bool) { value = data; });
  finish_host(d);
  return value;
}

bool NiNetwork::write(int d, uint32_t address, uint64_t data, int strobe) {
  bool failed = false;
  device(d).write(
      address, data, [&failed](uint64_t, bool error) { failed = error; }, strobe);
  finish_host(d);
  return failed;
}

}  // namespace fabrictwin::test

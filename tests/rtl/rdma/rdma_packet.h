// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The packets of the RDMA units as the tests make and read them, written down apart from the RTL:
// docs/models/exanet-rdma.md.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/rtl/rdma/rdma_transfer.h"

namespace fabrictwin::test {

/// A word of a packet with its framing.
struct FlitWord {
  Word128 data;
  bool sop = false;
  bool eop = false;
};

struct RdmaPacket {
  static constexpr int kWrite = 1, kRead = 2, kAck = 3, kNack = 4, kNotify = 5, kNotice = 6;

  int kind = 0;
  uint32_t tile_port = 0, coordinates = 0;
  uint32_t source = 0, destination = 0;
  uint32_t bytes = 0;
  uint32_t channel = 0, transfer = 0, index = 0, slot = 0;
  bool served = false, last_cell = false, early = false, notify = false, request = false, last_block = false,
       marked = false;
  uint32_t reason = 0, rank = 0, block = 0, attempt = 0, peer_slot = 0;
  uint64_t va = 0;
  uint16_t pdid = 0;
  std::vector<Word128> payload;

  static uint64_t low(const Word128& w) { return w[0] | uint64_t{w[1]} << 32; }
  static uint64_t high(const Word128& w) { return w[2] | uint64_t{w[3]} << 32; }

  /// CRC-32 (IEEE 802.3), byte by byte.
  static uint32_t crc(uint32_t state, const Word128& word) {
    for (int i = 0; i < 16; ++i) {
      state ^= word[i / 4] >> (8 * (i % 4)) & 0xff;
      for (int b = 0; b < 8; ++b) state = (state >> 1) ^ ((state & 1) != 0 ? 0xedb88320u : 0);
    }
    return state;
  }

  /// Sets the congestion mark of a packet, as a router does.
  static void mark(std::vector<FlitWord>& words) { words.back().data[3] |= 1; }

  std::vector<FlitWord> encode() const {
    std::vector<FlitWord> words;
    const uint32_t message = channel << 22 | transfer << 10 | index << 3 | uint32_t{served} << 2 |
                             uint32_t{last_cell} << 1 | uint32_t{early};
    words.push_back({make_word(uint64_t{coordinates} | uint64_t{destination} << 24 | uint64_t{bytes} << 48 |
                                   uint64_t{tile_port} << 58 | uint64_t(kind) << 61,
                               source | uint64_t{message} << 24),
                     true, false});
    for (const Word128& word : payload) words.push_back({word, false, false});
    // Fields from bit 32 of the footer on.
    unsigned __int128 fields = 0;
    int at = 0;
    const auto put = [&](uint64_t value, int width) {
      fields |= static_cast<unsigned __int128>(value) << at;
      at += width;
    };
    put(peer_slot, 4);
    put(last_block, 1);
    put(attempt, 4);
    put(pdid, 16);
    put(va, 39);
    put(0, 1);
    put(block, 18);
    put(rank, 3);
    put(reason, 4);
    put(request, 1);
    put(notify, 1);
    put(slot, 4);
    fields <<= 32;
    Word128 footer = make_word(static_cast<uint64_t>(fields), static_cast<uint64_t>(fields >> 64));
    uint32_t state = 0xffffffff;
    for (const FlitWord& word : words) state = crc(state, word.data);
    footer[0] = ~crc(state, footer);
    words.push_back({footer, false, true});
    return words;
  }

  static RdmaPacket decode(const std::vector<FlitWord>& words) {
    RdmaPacket p;
    const Word128& header = words.front().data;
    p.destination = static_cast<uint32_t>(low(header) >> 24 & 0xffffff);
    p.bytes = static_cast<uint32_t>(low(header) >> 48 & 0x3ff);
    p.kind = static_cast<int>(low(header) >> 61);
    p.tile_port = static_cast<uint32_t>(low(header) >> 58 & 7);
    p.coordinates = static_cast<uint32_t>(low(header) & 0xffffff);
    p.source = static_cast<uint32_t>(high(header) & 0xffffff);
    const auto message = static_cast<uint32_t>(high(header) >> 24);
    p.channel = message >> 22;
    p.transfer = message >> 10 & 0xfff;
    p.index = message >> 3 & 0x7f;
    p.served = (message >> 2 & 1) != 0;
    p.last_cell = (message >> 1 & 1) != 0;
    p.early = (message & 1) != 0;
    for (size_t i = 1; i + 1 < words.size(); ++i) p.payload.push_back(words[i].data);
    const Word128& footer = words.back().data;
    auto fields = (static_cast<unsigned __int128>(high(footer)) << 64 | low(footer)) >> 32;
    const auto get = [&](int width) {
      const auto value = static_cast<uint64_t>(fields) & ((uint64_t{1} << width) - 1);
      fields >>= width;
      return value;
    };
    p.peer_slot = static_cast<uint32_t>(get(4));
    p.last_block = get(1) != 0;
    p.attempt = static_cast<uint32_t>(get(4));
    p.pdid = static_cast<uint16_t>(get(16));
    p.va = get(39);
    p.marked = get(1) != 0;
    p.block = static_cast<uint32_t>(get(18));
    p.rank = static_cast<uint32_t>(get(3));
    p.reason = static_cast<uint32_t>(get(4));
    p.request = get(1) != 0;
    p.notify = get(1) != 0;
    p.slot = static_cast<uint32_t>(get(4));
    return p;
  }

  static bool intact(const std::vector<FlitWord>& words) {
    uint32_t state = 0xffffffff;
    for (size_t i = 0; i + 1 < words.size(); ++i) state = crc(state, words[i].data);
    Word128 footer = words.back().data;
    const uint32_t expected = footer[0];
    footer[0] = 0;
    footer[3] &= ~1u;
    return expected == ~crc(state, footer);
  }
};

}  // namespace fabrictwin::test

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What takes RDMA packets apart, alone: no bit of a packet may be wrong, and what is right arrives
// once, in order and whole, whatever comes before it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "VRdmaPacketIn__inputs.h"
#include "rtl/transactor/verilated_clock.h"
#include "tests/rtl/module_test.h"
#include "tests/rtl/random_state_context.h"
#include "tests/rtl/rdma/rdma_packet.h"

namespace fabrictwin::test {
namespace {

constexpr uint32_t kNode = 5;

class RdmaPacketIn : public ::testing::Test {
 protected:
  RdmaPacketIn() {
    zero_inputs(model_);
    model_.node_i = kNode;
    rtl::rising_edge_in_two(model_);
    rtl::rising_edge_in_two(model_);
    model_.rst_ni = 1;
  }

  static std::vector<FlitWord> notification() {
    RdmaPacket packet{.kind = RdmaPacket::kNotify, .source = 7, .destination = kNode, .bytes = 16};
    packet.payload.push_back(make_word(0x0123456789abcdef, 0xfedcba9876543210));
    return packet.encode();
  }

  /// Whether the packet is refused.
  bool refused(const std::vector<FlitWord>& words) {
    bool dropped = false;
    for (const FlitWord& word : words) {
      model_.valid_i = 1;
      model_.sop_i = word.sop;
      model_.eop_i = word.eop;
      for (size_t i = 0; i < 4; ++i) model_.data_i[i] = word.data[i];
      model_.clk_i = 0;
      model_.eval();
      EXPECT_TRUE(model_.ready_o);
      dropped = dropped || (model_.dropped_o & 1) != 0;
      model_.clk_i = 1;
      model_.eval();
    }
    model_.valid_i = 0;
    model_.clk_i = 0;
    model_.eval();
    EXPECT_EQ(model_.cell_valid_o != 0, !dropped);
    return dropped;
  }

  RandomStateContext context_;
  VRdmaPacketIn model_{&context_};
};

TEST_F(RdmaPacketIn, RefusesAPacketWithAnyWrongBit) {
  const std::vector<FlitWord> good = notification();
  ASSERT_EQ(good.size(), 3u);
  for (size_t w = 1; w < good.size(); ++w) {
    for (size_t bit = 0; bit < 128; ++bit) {
      if (w == good.size() - 1 && bit == 96) continue;  // A router may set the mark.
      std::vector<FlitWord> words = good;
      words[w].data[bit / 32] ^= 1u << (bit % 32);
      EXPECT_TRUE(refused(words)) << "word " << w << ", bit " << bit;
    }
  }
  EXPECT_FALSE(refused(good));
}

TEST_F(RdmaPacketIn, TakesAMarkAsNoDamage) {
  std::vector<FlitWord> words = notification();
  RdmaPacket::mark(words);
  EXPECT_FALSE(refused(words));
}

using Meta = std::array<uint32_t, 6>;  ///< rdma_pkg::meta_t.

struct Cell {
  Meta meta;
  std::vector<Word128> payload;
  uint32_t place;  ///< Its first word is there in the buffer.
};
struct Request {
  Meta meta;
  std::array<Word128, 2> payload;
};

/// A stream of packets of which many are wrong in some way, taken out at random.
class RdmaPacketStream : public ModuleTest<VRdmaPacketIn> {
 protected:
  static constexpr size_t kBufferWords = 256, kCells = 16, kAnswers = 4, kRequests = 8;
  static constexpr uint32_t kIndices = 80;

  /// All but the last two have the CRC that belongs to them.
  enum class Defect { kNone, kAnyBytes, kDestination, kSource, kWords, kNoStart, kAlone, kBit, kTruncated };
  enum class Stored { kNothing, kCell, kAnswer, kRequest, kNotice };

  RdmaPacketStream() : ModuleTest(61) {
    model_.node_i = kNode;
    reset();
  }

  uint64_t draw64() { return uint64_t{random_()} << 32 | random_(); }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(draw(static_cast<int>(n))); }

  /// What a packet of its kind must be.
  static bool shapely(const RdmaPacket& p) {
    switch (p.kind) {
      case RdmaPacket::kWrite:
        // Some byte, none beyond 256 aligned ones.
        return p.bytes > p.va % 16 && p.va % 256 / 16 * 16 + p.bytes <= 256 && p.index < kIndices;
      case RdmaPacket::kRead:
        return p.bytes == 32;
      case RdmaPacket::kNotify:
        return p.bytes == 16;
      case RdmaPacket::kAck:
      case RdmaPacket::kNack:
      case RdmaPacket::kNotice:
        return p.bytes == 0;
      default:
        return false;
    }
  }
  uint32_t right_bytes(const RdmaPacket& p) {
    if (p.kind == RdmaPacket::kWrite) {
      const auto least = static_cast<uint32_t>(p.va % 16 + 1), most = static_cast<uint32_t>(256 - p.va % 256 / 16 * 16);
      return chance(20) ? least : chance(30) ? most : least + below(most - least + 1);
    }
    return p.kind == RdmaPacket::kRead ? 32 : p.kind == RdmaPacket::kNotify ? 16 : 0;
  }

  void next_packet() {
    Defect defect = chance(50) ? Defect::kNone : static_cast<Defect>(draw(9));
    if (truncated_) defect = Defect::kNone;
    RdmaPacket p;
    p.kind = chance(40) ? RdmaPacket::kWrite : chance(20) ? RdmaPacket::kRead : draw(8);
    if (truncated_ || defect == Defect::kTruncated) p.kind = 1 + draw(6);
    p.source = below(1 << 22);
    p.destination = kNode;
    p.tile_port = below(8);
    p.coordinates = below(1 << 24);
    p.channel = below(1024);
    p.transfer = below(4096);
    p.index = below(chance(80) ? kIndices : 128);
    p.slot = below(16);
    p.served = chance(50);
    p.last_cell = chance(50);
    p.early = chance(50);
    p.notify = chance(50);
    p.request = chance(50);
    p.last_block = chance(50);
    p.reason = below(16);
    p.rank = below(8);
    p.block = below(1 << 18);
    p.attempt = below(16);
    p.peer_slot = below(16);
    p.va = draw64() & 0x7fffffffff;
    p.pdid = static_cast<uint16_t>(below(1 << 16));
    p.bytes = right_bytes(p);
    if (defect == Defect::kAnyBytes) p.bytes = chance(50) ? below(1024) : (p.bytes + 512) % 1024;
    if (defect == Defect::kAnyBytes && chance(30)) p.bytes = right_bytes(p) + 1;
    if (defect == Defect::kDestination) p.destination ^= 1u << draw(24);
    if (defect == Defect::kSource) p.source |= 1u << (22 + draw(2));
    // As many as a size that is counted modulo 512 would have.
    size_t words = (p.bytes % 512 + 15) / 16;
    if (defect == Defect::kWords) words = words == 0 || chance(50) ? words + 1 : words - 1;
    for (size_t i = 0; i < words; ++i) p.payload.push_back(make_word(draw64(), draw64()));
    words_ = p.encode();
    marked_ = chance(30);
    if (marked_) RdmaPacket::mark(words_);
    good_ = shapely(p) && p.bytes <= 256 && p.destination == kNode && p.source < 1 << 22 && defect != Defect::kWords;
    if (defect == Defect::kNoStart) {
      words_.front().sop = good_ = false;
    } else if (defect == Defect::kAlone) {
      words_.resize(1);
      words_.front().eop = true;
      good_ = false;
    } else if (defect == Defect::kBit) {
      // In payload or footer, but the mark.
      const size_t w = 1 + below(static_cast<uint32_t>(words_.size() - 1));
      const auto bit = static_cast<size_t>(draw(w + 1 == words_.size() ? 96 : 128));
      words_[w].data[bit / 32] ^= 1u << (bit % 32);
      good_ = false;
    }
    const bool truncated = defect == Defect::kTruncated && good_;
    if (truncated) {
      words_.resize(1 + below(static_cast<uint32_t>(words_.size() - 1)));
      good_ = false;
    }
    // One that does not end is known to be wrong when the next one begins.
    drops_expected_ = (good_ || truncated ? 0 : 1) + (truncated_ ? 1 : 0);
    drops_ = 0;
    truncated_ = truncated;
    stored_ = !good_                                                      ? Stored::kNothing
              : p.kind == RdmaPacket::kRead                               ? Stored::kRequest
              : p.kind == RdmaPacket::kNotice                             ? Stored::kNotice
              : p.kind == RdmaPacket::kAck || p.kind == RdmaPacket::kNack ? Stored::kAnswer
                                                                          : Stored::kCell;
    packet_ = p;
    next_ = 0;
    ++seen_[good_ ? "good" : "bad"];
  }

  /// What the unit makes of a good packet: the header's and the footer's fields side by side.
  Meta meta() const {
    const Word128& footer = words_.back().data;
    return {footer[1],
            footer[2],
            footer[3],
            static_cast<uint32_t>(RdmaPacket::high(words_.front().data) >> 24),
            packet_.bytes | packet_.source << 10,
            static_cast<uint32_t>(packet_.kind)};
  }
  template <class Wide>
  static Meta meta_of(const Wide& wide) {
    Meta meta;
    for (size_t i = 0; i < meta.size(); ++i) meta[i] = wide[i];
    return meta;
  }
  template <class Wide>
  static Word128 word_of(const Wide& wide, size_t at = 0) {
    return {wide[at], wide[at + 1], wide[at + 2], wide[at + 3]};
  }
  static uint32_t words_in(const Cell& cell) { return static_cast<uint32_t>(cell.payload.size()); }

  void cycle(unsigned input, unsigned output, unsigned requests) {
    auto& m = model_;
    if (next_ == words_.size()) next_packet();
    const bool first = !inside_;
    offered_ = offered_ || chance(input);
    const FlitWord& word = words_[next_];
    m.valid_i = offered_;
    m.sop_i = word.sop;
    m.eop_i = word.eop;
    for (size_t i = 0; i < 4; ++i) m.data_i[i] = word.data[i];
    m.cell_ready_i = !cells_.empty() && chance(output);
    m.answer_ready_i = chance(output);
    m.request_ready_i = chance(requests);
    const uint32_t freed = chance(output) ? std::min(to_free_, below(17)) : 0;
    m.free_i = static_cast<uint8_t>(freed);
    m.eval();

    const bool room = used_ <= kBufferWords - 16 && cells_.size() < kCells && answers_.size() < kAnswers;
    ASSERT_EQ(m.ready_o != 0, !first || room) << "used " << used_ << " cells " << cells_.size();
    if (!room) ++seen_["no room"];
    const bool take = offered_ && m.ready_o;
    const bool last = take && next_ + 1 == words_.size();
    const Stored stored = last ? stored_ : Stored::kNothing;
    drops_ += m.dropped_o & 1;
    if (last) {
      ASSERT_EQ(drops_, drops_expected_) << "kind " << packet_.kind << " bytes " << packet_.bytes;
    }
    const bool lost = stored == Stored::kRequest && requests_.size() == kRequests;
    ASSERT_EQ(m.dropped_o >> 1 != 0, lost);
    ASSERT_EQ(m.marked_o != 0, stored == Stored::kCell && packet_.kind == RdmaPacket::kWrite && marked_);
    ASSERT_EQ(m.notice_o != 0, stored == Stored::kNotice);
    if (m.marked_o || m.notice_o) {
      ASSERT_EQ(meta_of(m.arrived_o), meta());
      ++seen_[m.marked_o ? "marked" : "notice"];
    }

    std::optional<Cell> comes;
    if (stored == Stored::kCell) comes = Cell{meta(), packet_.payload, place_};
    ASSERT_EQ(m.cell_valid_o != 0, comes || !cells_.empty());
    if (m.cell_valid_o) {
      const Cell& cell = cells_.empty() ? *comes : cells_.front();
      ASSERT_EQ(meta_of(m.cell_o), cell.meta);
      const uint32_t w = below(words_in(cell));
      m.buffer_addr_i = static_cast<uint8_t>(cell.place + w);
      m.eval();
      ASSERT_EQ(word_of(m.data_o), cell.payload[w]);
    }
    ASSERT_EQ(m.answer_valid_o != 0, !answers_.empty());
    if (m.answer_valid_o) {
      ASSERT_EQ(meta_of(m.answer_o), answers_.front());
    }
    ASSERT_EQ(m.request_valid_o != 0, !requests_.empty());
    if (m.request_valid_o) {
      ASSERT_EQ(meta_of(m.request_o), requests_.front().meta);
      ASSERT_EQ(word_of(m.request_payload_o), requests_.front().payload[0]);
      ASSERT_EQ(word_of(m.request_payload_o, 4), requests_.front().payload[1]);
    }
    ASSERT_EQ(m.idle_o != 0, cells_.empty() && answers_.empty() && requests_.empty());

    // The edge.
    to_free_ -= freed;
    used_ -= freed;
    if (m.cell_ready_i) {
      to_free_ += words_in(cells_.front());
      cells_.pop_front();
    }
    if (m.answer_ready_i && !answers_.empty()) answers_.pop_front();
    if (m.request_ready_i && !requests_.empty()) requests_.pop_front();
    if (comes) {
      used_ += words_in(*comes);
      place_ += words_in(*comes);
      cells_.push_back(*std::move(comes));
    } else if (stored == Stored::kAnswer) {
      answers_.push_back(meta());
    } else if (stored == Stored::kRequest && !lost) {
      requests_.push_back({meta(), {packet_.payload[0], packet_.payload[1]}});
    }
    if (lost) ++seen_["request lost"];
    if (take) {
      inside_ = !word.eop;
      ++next_;
      offered_ = false;
    }
    edge();
  }

  std::vector<FlitWord> words_;  ///< They make up the packet that comes in.
  size_t next_ = 0;
  RdmaPacket packet_;
  bool good_ = false, marked_ = false, truncated_ = false, offered_ = false, inside_ = false;
  Stored stored_ = Stored::kNothing;
  int drops_ = 0, drops_expected_ = 0;

  std::deque<Cell> cells_;
  std::deque<Meta> answers_;
  std::deque<Request> requests_;
  uint32_t used_ = 0, to_free_ = 0, place_ = 0;
};

TEST_F(RdmaPacketStream, WhatIsRightArrivesOnceAndTheRestIsCounted) {
  for (int k = 0; k < 200000; ++k) {
    const int phase = k / 1000 % 4;
    cycle(phase == 1 ? 30 : 90, phase == 2 ? 4 : 50, phase == 3 ? 0 : 30);
    ASSERT_FALSE(HasFatalFailure()) << "cycle " << k;
  }
  for (const char* what : {"good", "bad", "marked", "notice", "no room", "request lost"})
    EXPECT_GT(seen_[what], 50) << what;
}

}  // namespace
}  // namespace fabrictwin::test

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory behind the three masters of an accelerator, which looks whether they obey AXI.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <random>
#include <vector>

#include "tests/rtl/shell/axi_rules.h"
#include "verilated.h"

namespace fabrictwin::test {

/// What makes a memory slow. Times are cycles.
struct MemoryTiming {
  unsigned stalls = 0;         ///< Percent of the cycles in which a channel does nothing.
  uint64_t latency = 1;        ///< From the address of a burst to its first beat, from its last beat to its response.
  uint64_t gap = 0;            ///< Between two bursts of a port and direction.
  double beats = 16;           ///< Beats that all ports together may move in a cycle.
  uint64_t refresh_every = 0;  ///< 0: never.
  uint64_t refresh = 0;        ///< So long nothing moves.
};

/// The memory, by words of 32 bits, and the time.
class GemmMemory {
 public:
  static constexpr uint64_t kBase = 0x12'0000'0000;

  explicit GemmMemory(uint32_t seed) : random_(seed) {}

  /// Once in each cycle, before the ports.
  void tick() {
    ++now_;
    const bool refreshing = timing.refresh_every != 0 && now_ % timing.refresh_every < timing.refresh;
    budget_ = refreshing ? 0 : std::min(budget_ + timing.beats, timing.beats + 1);
  }
  bool stalled() { return timing.stalls != 0 && random_() % 100 < timing.stalls; }
  /// Whether one more beat may move; then it has moved.
  bool move() {
    if (budget_ < 1) return false;
    budget_ -= 1;
    return true;
  }
  uint64_t now() const { return now_; }
  uint32_t& word(uint64_t address) {
    EXPECT_TRUE(address >= kBase && address - kBase < 4 * words.size()) << "address " << std::hex << address;
    return words[(address - kBase) / 4 % words.size()];
  }
  /// The response to a beat.
  uint32_t response(uint64_t address, bool write) const { return answer ? answer(address, write) : 0; }

  std::vector<uint32_t> words;
  MemoryTiming timing;
  std::function<uint32_t(uint64_t address, bool write)> answer;
  size_t max_bursts = 8;
  uint32_t max_beats = 16;
  uint64_t cut = 0;    ///< Bursts that end at a boundary of 4 KiB.
  uint64_t beats = 0;  ///< That have moved.

 private:
  std::mt19937 random_;
  uint64_t now_ = 0;
  double budget_ = 0;
};

/// A burst under way.
struct Burst {
  uint64_t address = 0;
  uint32_t left = 0;   ///< Beats.
  uint64_t ready = 0;  ///< When the first beat may move, or the response come.
  uint32_t worst = 0;  ///< Response.
};

/// Addresses of one direction of a port.
class AddressChannel {
 public:
  AddressChannel(CData& valid, CData& ready, VlWide<3>& address) : valid_(valid), ready_(ready), address_(address) {}

  void drive(GemmMemory& memory) { ready_ = !memory.stalled(); }
  /// Before the edge; true with a new burst.
  bool sample(GemmMemory& memory, size_t under_way, Burst& burst) {
    watch_.look(valid_, ready_, bits_of(address_));
    if (!valid_ || !ready_) return false;
    const AxiAddress address(address_);
    EXPECT_EQ(address.size, 4u);
    EXPECT_EQ(address.burst, 1u);
    EXPECT_EQ(address.address % 16, 0u);
    const uint64_t end = address.address + 16 * (uint64_t{address.length} + 1);
    EXPECT_EQ(address.address / 4096, (end - 1) / 4096) << "a burst crosses a boundary of 4 KiB";
    EXPECT_LE(address.length + 1, memory.max_beats);
    EXPECT_LT(under_way, memory.max_bursts);
    if (end % 4096 == 0) ++memory.cut;
    burst = {address.address, address.length + 1, memory.now() + memory.timing.latency, 0};
    return true;
  }
  void reset() { watch_.reset(); }

 private:
  CData& valid_;
  CData& ready_;
  VlWide<3>& address_;
  StableChannel watch_;
};

/// A read port.
class ReadPort {
 public:
  ReadPort(CData& ar_valid, CData& ar_ready, VlWide<3>& ar, CData& r_valid, CData& r_ready, VlWide<5>& r)
      : addresses_(ar_valid, ar_ready, ar), r_valid_(r_valid), r_ready_(r_ready), r_(r) {}

  void drive(GemmMemory& memory) {
    addresses_.drive(memory);
    if (r_valid_ || bursts_.empty() || memory.now() < bursts_.front().ready || memory.stalled() || !memory.move())
      return;
    const Burst& burst = bursts_.front();
    std::array<uint32_t, 5> bits{};
    for (size_t i = 0; i < 4; ++i) {
      const uint32_t word = memory.word(burst.address + 4 * i);
      bits[i] |= word << 3;
      bits[i + 1] |= word >> 29;
    }
    bits[0] |= memory.response(burst.address, false) << 1 | (burst.left == 1 ? 1 : 0);
    for (size_t i = 0; i < bits.size(); ++i) r_[i] = bits[i];
    r_valid_ = 1;
  }
  void sample(GemmMemory& memory) {
    Burst burst;
    // The beat that moves at this edge ends its burst only after it.
    const bool begun = addresses_.sample(memory, bursts_.size(), burst);
    moved_ = r_valid_ && r_ready_;
    if (moved_) {
      ++memory.beats;
      bursts_.front().address += 16;
      if (--bursts_.front().left == 0) {
        bursts_.pop_front();
        if (!bursts_.empty())
          bursts_.front().ready = std::max(bursts_.front().ready, memory.now() + 1 + memory.timing.gap);
        last_ = memory.now();
      }
    }
    if (begun) {
      if (bursts_.empty() && last_ != 0) burst.ready = std::max(burst.ready, last_ + 1 + memory.timing.gap);
      bursts_.push_back(burst);
    }
  }
  /// After the edge.
  void settle() {
    if (moved_) r_valid_ = 0;
  }
  void reset() {
    addresses_.reset();
    bursts_.clear();
    r_valid_ = 0;
  }
  bool idle() const { return bursts_.empty(); }

 private:
  AddressChannel addresses_;
  CData& r_valid_;
  CData& r_ready_;
  VlWide<5>& r_;
  std::deque<Burst> bursts_;
  uint64_t last_ = 0;  ///< When a burst ended.
  bool moved_ = false;
};

/// A write port.
class WritePort {
 public:
  WritePort(CData& aw_valid, CData& aw_ready, VlWide<3>& aw, CData& w_valid, CData& w_ready, VlWide<5>& w,
            CData& b_valid, CData& b_ready, CData& b)
      : addresses_(aw_valid, aw_ready, aw),
        w_valid_(w_valid),
        w_ready_(w_ready),
        w_(w),
        b_valid_(b_valid),
        b_ready_(b_ready),
        b_(b) {}

  void drive(GemmMemory& memory) {
    addresses_.drive(memory);
    w_ready_ =
        !bursts_.empty() && memory.now() >= bursts_.front().ready && !memory.stalled() && w_valid_ && memory.move();
    if (!b_valid_ && !answers_.empty() && memory.now() >= answers_.front().ready && !memory.stalled()) {
      b_ = static_cast<CData>(answers_.front().worst);
      b_valid_ = 1;
    }
  }
  void sample(GemmMemory& memory) {
    Burst burst;
    const bool begun = addresses_.sample(memory, bursts_.size() + answers_.size(), burst);
    answered_ = b_valid_ && b_ready_;
    if (answered_) answers_.pop_front();
    watch_.look(w_valid_, w_ready_, bits_of(w_));
    if (w_valid_ && w_ready_) take_beat(memory);
    if (begun) {
      burst.ready = memory.now() + 1;
      if (bursts_.empty() && last_ != 0) burst.ready = std::max(burst.ready, last_ + 1 + memory.timing.gap);
      bursts_.push_back(burst);
    }
  }
  void settle() {
    if (answered_) b_valid_ = 0;
  }
  void reset() {
    addresses_.reset();
    watch_.reset();
    bursts_.clear();
    answers_.clear();
    b_valid_ = 0;
  }
  bool idle() const { return bursts_.empty() && answers_.empty(); }

 private:
  void take_beat(GemmMemory& memory) {
    ++memory.beats;
    Burst& burst = bursts_.front();
    EXPECT_EQ(w_[0] & 1, burst.left == 1 ? 1u : 0u) << "last";
    EXPECT_EQ(w_[0] >> 1 & 0xffff, 0xffffu) << "strobe";
    for (size_t i = 0; i < 4; ++i) memory.word(burst.address + 4 * i) = w_[i] >> 17 | w_[i + 1] << 15;
    burst.worst = std::max(burst.worst, memory.response(burst.address, true));
    burst.address += 16;
    if (--burst.left != 0) return;
    burst.ready = memory.now() + memory.timing.latency;
    answers_.push_back(burst);
    bursts_.pop_front();
    if (!bursts_.empty()) bursts_.front().ready = std::max(bursts_.front().ready, memory.now() + 1 + memory.timing.gap);
    last_ = memory.now();
  }

  AddressChannel addresses_;
  CData& w_valid_;
  CData& w_ready_;
  VlWide<5>& w_;
  CData& b_valid_;
  CData& b_ready_;
  CData& b_;
  StableChannel watch_;
  std::deque<Burst> bursts_;
  std::deque<Burst> answers_;
  uint64_t last_ = 0;
  bool answered_ = false;
};

}  // namespace fabrictwin::test

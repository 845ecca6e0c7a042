// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory behind the masters of a Verilated accelerator.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "verilated.h"

namespace fabrictwin::rtl::gemm {

/// Address and beats of a burst, as in axi_pkg::address_t.
struct Burst {
  explicit Burst(const VlWide<3>& pins)
      : address(uint64_t{pins[0]} >> 20 | uint64_t{pins[1]} << 12 | uint64_t{pins[2]} << 44),
        beats((pins[0] >> 12 & 255) + 1) {}
  uint64_t address;
  uint32_t beats;
  int64_t ready = 0;  ///< The cycle of its first beat.
};

/// A word of 128 bits at an address; addresses must be in the memory.
inline size_t word_of(uint64_t address) { return static_cast<size_t>(address / 4); }

/// A port that reads: takes every address at once, and moves a beat in each cycle. Its owner keeps `ar_ready` high.
class IdealReadPort {
 public:
  IdealReadPort(CData& ar_valid, VlWide<3>& ar, CData& r_valid, CData& r_ready, VlWide<5>& r)
      : ar_valid_(ar_valid), ar_(ar), r_valid_(r_valid), r_ready_(r_ready), r_(r) {}

  /// Before the edge of cycle `now`: what is offered in it.
  void drive(int64_t now, const std::vector<uint32_t>& memory) {
    r_valid_ = !bursts_.empty() && now >= bursts_.front().ready;
    if (!r_valid_) return;
    const uint32_t* const words = &memory[word_of(bursts_.front().address)];
    r_[0] = words[0] << 3 | (bursts_.front().beats == 1 ? 1 : 0);
    for (size_t i = 1; i < 4; ++i) r_[i] = words[i] << 3 | words[i - 1] >> 29;
    r_[4] = words[3] >> 29;
  }
  /// Before the edge, when the model has been evaluated: what moves.
  void sample(int64_t now, int64_t latency) {
    if (r_valid_ && r_ready_) {
      bursts_.front().address += 16;
      if (--bursts_.front().beats == 0) bursts_.pop_front();
    }
    if (ar_valid_) {
      bursts_.emplace_back(ar_);
      bursts_.back().ready = now + latency;
    }
  }

 private:
  CData& ar_valid_;
  VlWide<3>& ar_;
  CData& r_valid_;
  CData& r_ready_;
  VlWide<5>& r_;
  std::deque<Burst> bursts_;
};

/// A port that writes. Its owner keeps `aw_ready` high and the response zero.
class IdealWritePort {
 public:
  IdealWritePort(CData& aw_valid, VlWide<3>& aw, CData& w_valid, CData& w_ready, VlWide<5>& w, CData& b_valid)
      : aw_valid_(aw_valid), aw_(aw), w_valid_(w_valid), w_ready_(w_ready), w_(w), b_valid_(b_valid) {}

  void drive(int64_t now) {
    w_ready_ = !bursts_.empty();
    b_valid_ = !answers_.empty() && now >= answers_.front();
  }
  void sample(int64_t now, int64_t latency, std::vector<uint32_t>& memory) {
    if (b_valid_) answers_.pop_front();
    if (w_valid_ && w_ready_) {
      uint32_t* const words = &memory[word_of(bursts_.front().address)];
      for (size_t i = 0; i < 4; ++i) words[i] = w_[i] >> 17 | w_[i + 1] << 15;
      bursts_.front().address += 16;
      if (--bursts_.front().beats == 0) {
        bursts_.pop_front();
        answers_.push_back(now + latency);
      }
    }
    if (aw_valid_) bursts_.emplace_back(aw_);
  }

 private:
  CData& aw_valid_;
  VlWide<3>& aw_;
  CData& w_valid_;
  CData& w_ready_;
  VlWide<5>& w_;
  CData& b_valid_;
  std::deque<Burst> bursts_;
  std::deque<int64_t> answers_;
};

}  // namespace fabrictwin::rtl::gemm

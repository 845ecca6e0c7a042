// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A host's memory behind AXI: in-order answers after a latency, random stalls on every channel, and pages that are
// absent until some time after their first use. Checks the rules that the RDMA unit promises to keep.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "tests/rtl/rdma/random_source.h"
#include "tests/rtl/rdma/sparse_memory.h"

namespace fabrictwin::test {

struct MemoryTiming {
  unsigned latency = 8;          ///< Cycles from the last word of an address or of data to the first of the answer.
  unsigned jitter = 0;           ///< Up to so many more.
  unsigned stall_percent = 0;    ///< Of the cycles in which a channel is not ready, or has no data.
  unsigned write_latency = ~0u;  ///< Of writes; as `latency` by default.
};

class AxiMemory {
 public:
  AxiMemory(uint64_t seed, MemoryTiming timing) : random_(seed), timing_(timing) {
    if (timing_.write_latency == ~0u) timing_.write_latency = timing_.latency;
  }

  SparseMemory& bytes() { return bytes_; }
  const SparseMemory& bytes() const { return bytes_; }

  /// The page is absent; so many cycles after its first use it is there.
  void make_absent(uint64_t address, int64_t cycles) { absent_[address / SparseMemory::kPage] = {cycles, -1}; }
  static constexpr int64_t kForever = INT64_C(1) << 60;

  /// Who may touch [begin, begin + length).
  void grant(uint64_t begin, uint64_t length, uint16_t pdid) {
    owners_[begin / 16 * 16] = {(begin + length + 15) / 16 * 16, pdid};
  }
  /// Called for every 8-byte write to an address given to watch().
  std::function<void(uint64_t address, uint64_t value)> on_watched;
  void watch(uint64_t address) { watched_[address] = true; }

  void set_frozen(bool frozen) { frozen_ = frozen; }

  /// Sets the inputs of the unit for the next edge.
  template <class Model>
  void drive(Model& m) {
    m.m_awready_i = ready();
    m.m_wready_i = ready();
    m.m_arready_i = ready();
    if (!b_valid_ && !answers_.empty() && answers_.front().time <= now_ && ready()) b_valid_ = true;
    m.m_bvalid_i = b_valid_;
    if (b_valid_ && !b_applied_) {
      // What is written is there at the earliest with its answer.
      apply(answers_.front());
      b_applied_ = true;
    }
    m.m_bresp_i = b_valid_ && answers_.front().fault ? 2 : 0;
    if (!r_valid_ && !reads_.empty() && reads_.front().time <= now_ && ready()) r_valid_ = true;
    m.m_rvalid_i = r_valid_;
    if (r_valid_) {
      const Burst& burst = reads_.front();
      const bool fault = absent(burst.address);
      burst_fault_ = fault;
      m.m_rresp_i = fault ? 2 : 0;
      for (unsigned i = 0; i < 4; ++i) {
        uint32_t word = 0;
        for (unsigned b = 0; b < 4; ++b)
          word |= uint32_t{fault ? uint8_t{0xee} : bytes_.read(burst.address + 16 * burst.next + 4 * i + b)} << (8 * b);
        m.m_rdata_i[i] = word;
      }
      m.m_rlast_i = burst.next + 1 == burst.words;
    }
  }

  /// Takes what the unit says at the edge. Outputs must be settled.
  template <class Model>
  void edge(Model& m) {
    if (m.m_awvalid_o && m.m_awready_i) {
      const Burst burst{m.m_awaddr_o, m.m_awlen_o + 1u, 0, 0};
      check(burst, static_cast<uint16_t>(m.m_awuser_o), 256);
      addresses_.push_back(burst);
      max_writes_ = std::max(max_writes_, ++open_writes_);
    }
    if (m.m_wvalid_o && m.m_wready_i) {
      Beat beat;
      for (unsigned i = 0; i < 16; ++i) beat.data[i] = static_cast<uint8_t>(m.m_wdata_o[i / 4] >> (8 * (i % 4)));
      beat.strobe = m.m_wstrb_o;
      beat.last = m.m_wlast_o;
      beats_.push_back(beat);
    }
    if (b_valid_ && m.m_bready_o) {
      answers_.pop_front();
      b_valid_ = b_applied_ = false;
      --open_writes_;
    }
    if (m.m_arvalid_o && m.m_arready_i) {
      Burst burst{m.m_araddr_o, m.m_arlen_o + 1u, 0, now_ + delay(timing_.latency)};
      check(burst, static_cast<uint16_t>(m.m_aruser_o), 4096);
      reads_.push_back(burst);
      max_reads_ = std::max(max_reads_, ++open_reads_);
    }
    if (r_valid_ && m.m_rready_o) {
      r_valid_ = false;
      if (++reads_.front().next == reads_.front().words) {
        if (burst_fault_) ++read_faults_;
        reads_.pop_front();
        --open_reads_;
      }
    }
    complete_writes();
    ++now_;
  }

  int max_reads() const { return max_reads_; }
  int max_writes() const { return max_writes_; }
  int read_faults() const { return read_faults_; }
  int write_faults() const { return write_faults_; }
  bool idle() const { return open_reads_ == 0 && open_writes_ == 0; }

 private:
  struct Burst {
    uint64_t address;
    unsigned words;
    unsigned next;
    int64_t time;
  };
  struct Beat {
    std::array<uint8_t, 16> data;
    uint32_t strobe;
    bool last;
  };
  struct Answer {
    Burst burst;
    std::vector<Beat> beats;
    int64_t time;
    bool fault = false;
  };
  struct Absence {
    int64_t cycles;
    int64_t used;  ///< When first; -1 never.
  };
  struct Owner {
    uint64_t end;
    uint16_t pdid;
  };

  bool ready() { return !frozen_ && !random_.percent(timing_.stall_percent); }
  int64_t delay(unsigned latency) { return latency + (timing_.jitter == 0 ? 0 : random_.below(timing_.jitter + 1)); }

  bool absent(uint64_t address) {
    const auto it = absent_.find(address / SparseMemory::kPage);
    if (it == absent_.end()) return false;
    if (it->second.used < 0) it->second.used = now_;
    if (now_ - it->second.used < it->second.cycles) return true;
    absent_.erase(it);
    return false;
  }

  void check(const Burst& burst, uint16_t pdid, uint64_t boundary) {
    EXPECT_EQ(burst.address % 16, 0u);
    EXPECT_LE(burst.words, 16u);
    EXPECT_EQ(burst.address / boundary, (burst.address + 16 * burst.words - 1) / boundary) << "burst over a boundary";
    const auto it = owners_.upper_bound(burst.address);
    ASSERT_NE(it, owners_.begin()) << "address that nobody owns";
    const Owner& owner = std::prev(it)->second;
    EXPECT_LE(burst.address + 16 * burst.words, owner.end) << "access beyond a buffer";
    EXPECT_EQ(owner.pdid, pdid) << "wrong protection domain at " << std::hex << burst.address;
  }

  void complete_writes() {
    if (addresses_.empty() || beats_.size() < addresses_.front().words) return;
    Answer answer{addresses_.front(), {}, now_ + delay(timing_.write_latency), false};
    for (unsigned i = 0; i < answer.burst.words; ++i) {
      answer.beats.push_back(beats_.front());
      beats_.pop_front();
      EXPECT_EQ(answer.beats.back().last, i + 1 == answer.burst.words);
    }
    if (!answers_.empty()) answer.time = std::max(answer.time, answers_.back().time);
    answers_.push_back(answer);
    addresses_.pop_front();
  }

  void apply(Answer& answer) {
    answer.fault = absent(answer.burst.address);
    if (answer.fault) {
      ++write_faults_;
      return;
    }
    for (unsigned i = 0; i < answer.burst.words; ++i) {
      for (unsigned b = 0; b < 16; ++b) {
        if (answer.beats[i].strobe >> b & 1) bytes_.write(answer.burst.address + 16 * i + b, answer.beats[i].data[b]);
      }
    }
    for (unsigned half = 0; half < 2; ++half) {
      const uint64_t address = answer.burst.address + 8 * half;
      if (answer.burst.words == 1 && answer.beats[0].strobe == 0xffu << (8 * half) && watched_.contains(address) &&
          on_watched)
        on_watched(address, bytes_.read_word(address));
    }
  }

  RandomSource random_;
  MemoryTiming timing_;
  SparseMemory bytes_;
  std::map<uint64_t, Absence> absent_;
  std::map<uint64_t, Owner> owners_;
  std::map<uint64_t, bool> watched_;
  std::deque<Burst> addresses_, reads_;
  std::deque<Beat> beats_;
  std::deque<Answer> answers_;
  int64_t now_ = 0;
  bool b_valid_ = false, b_applied_ = false, r_valid_ = false, burst_fault_ = false, frozen_ = false;
  int open_reads_ = 0, open_writes_ = 0, max_reads_ = 0, max_writes_ = 0, read_faults_ = 0, write_faults_ = 0;
};

}  // namespace fabrictwin::test

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory behind the AXI4 master of a Verilated shell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "cosim/link/counters.h"

namespace fabrictwin::rtl::shell {

/// Answers one read and one write burst at a time, a beat in each cycle that `ready` allows. The memory may be changed
/// by others at any time; it is read and written in halves of a beat of 128 bits. `Model` is a Verilated class with the
/// pins of an AXI4 master under the names of block designs. Addresses are offsets in the memory, or in a second one
/// that begins elsewhere; others are answered with an error.
template <class Model>
class AxiMemory {
 public:
  /// Says whether a channel moves in this cycle: 0 is AR, 1 R, 2 AW, 3 W, 4 B.
  using Ready = std::function<bool(int channel)>;

  /// Both outlive this. Without `ready` all channels always move.
  AxiMemory(Model& model, std::span<std::byte> memory, Ready ready = {})
      : model_(model), memory_(memory), ready_(std::move(ready)) {
    drive();
  }

  /// Adds a memory that begins at `base`, beyond the first one.
  void add(uint64_t base, std::span<std::byte> memory) {
    second_base_ = base;
    second_ = memory;
  }

  /// Looks at what is transferred at the coming edge. Call it before the edge, and drive() after it.
  void sample() {
    ar_ = model_.m_axi_arvalid && model_.m_axi_arready;
    r_ = model_.m_axi_rvalid && model_.m_axi_rready;
    aw_ = model_.m_axi_awvalid && model_.m_axi_awready;
    w_ = model_.m_axi_wvalid && model_.m_axi_wready;
    b_ = model_.m_axi_bvalid && model_.m_axi_bready;
    if (ar_) {
      read_address_ = model_.m_axi_araddr;
      read_beats_ = model_.m_axi_arlen + 1;
      if (read_beats_ > 1) slots_read_.add(1);
    }
    if (aw_) {
      write_address_ = model_.m_axi_awaddr;
      address_taken_ = true;
    }
    if (w_) {
      Beat& beat = beats_[beat_count_++ % kMaxBeats];
      for (size_t i = 0; i < 4; ++i) beat.data[i] = model_.m_axi_wdata[i];
      beat.strobe = model_.m_axi_wstrb;
      last_taken_ = model_.m_axi_wlast != 0;
    }
  }

  /// Answers what was sampled, after the edge.
  void drive() {
    if (r_) {
      model_.m_axi_rvalid = 0;
      read_address_ += kBeatBytes;
      --read_beats_;
    }
    if (read_beats_ > 0 && model_.m_axi_rvalid == 0 && moves(1)) read();
    if (address_taken_ && last_taken_ && model_.m_axi_bvalid == 0 && moves(4)) write();
    if (b_) model_.m_axi_bvalid = 0;
    model_.m_axi_arready = read_beats_ == 0 && moves(0);
    model_.m_axi_awready = !address_taken_ && moves(2);
    model_.m_axi_wready = !last_taken_ && moves(3);
    ar_ = r_ = aw_ = w_ = b_ = false;
  }

  /// Bursts written so far.
  uint64_t writes() const { return writes_; }
  /// Bursts of more than one beat so far: those of whole slots of rings. Any thread may read them.
  const link::Counter& slots_read() const { return slots_read_; }
  const link::Counter& slots_written() const { return slots_written_; }

 private:
  static constexpr size_t kBeatBytes = 16;
  static constexpr size_t kMaxBeats = 4;
  static constexpr uint8_t kSlaveError = 2;
  struct Beat {
    uint32_t data[4];
    uint16_t strobe;
  };

  bool moves(int channel) const { return !ready_ || ready_(channel); }
  /// Where a beat is; null if there is no memory.
  std::byte* beat_at(uint64_t address) const {
    if (address % kBeatBytes != 0) return nullptr;
    if (address < memory_.size()) return memory_.data() + address;
    return address - second_base_ < second_.size() ? second_.data() + (address - second_base_) : nullptr;
  }
  static uint64_t* half_of(std::byte* beat, size_t half) {
    return reinterpret_cast<uint64_t*>(beat + half * sizeof(uint64_t));
  }

  void read() {
    model_.m_axi_rvalid = 1;
    model_.m_axi_rlast = read_beats_ == 1;
    model_.m_axi_rid = 0;
    std::byte* const beat = beat_at(read_address_);
    model_.m_axi_rresp = beat != nullptr ? 0 : kSlaveError;
    for (size_t half = 0; half < 2; ++half) {
      const uint64_t value = beat != nullptr ? __atomic_load_n(half_of(beat, half), __ATOMIC_ACQUIRE) : 0;
      model_.m_axi_rdata[2 * half] = static_cast<uint32_t>(value);
      model_.m_axi_rdata[2 * half + 1] = static_cast<uint32_t>(value >> 32);
    }
  }

  void write() {
    bool ok = beat_count_ <= kMaxBeats;
    for (size_t i = 0; i < beat_count_ && ok; ++i) {
      std::byte* const beat = beat_at(write_address_ + i * kBeatBytes);
      ok = beat != nullptr;
      if (ok) write(beat, beats_[i]);
    }
    ++writes_;
    if (beat_count_ > 1) slots_written_.add(1);
    beat_count_ = 0;
    address_taken_ = last_taken_ = false;
    model_.m_axi_bvalid = 1;
    model_.m_axi_bid = 0;
    model_.m_axi_bresp = ok ? 0 : kSlaveError;
  }

  static void write(std::byte* to, const Beat& beat) {
    for (size_t half = 0; half < 2; ++half) {
      const auto strobe = static_cast<uint8_t>(beat.strobe >> (8 * half));
      if (strobe == 0) continue;
      uint64_t mask = 0;
      for (int byte = 0; byte < 8; ++byte) {
        if ((strobe >> byte & 1) != 0) mask |= uint64_t{0xff} << (8 * byte);
      }
      const uint64_t value = beat.data[2 * half] | uint64_t{beat.data[2 * half + 1]} << 32;
      uint64_t* target = half_of(to, half);
      const uint64_t kept = mask == ~uint64_t{0} ? 0 : __atomic_load_n(target, __ATOMIC_RELAXED) & ~mask;
      __atomic_store_n(target, kept | (value & mask), __ATOMIC_RELEASE);
    }
  }

  Model& model_;
  std::span<std::byte> memory_;
  uint64_t second_base_ = 0;
  std::span<std::byte> second_;
  Ready ready_;
  uint64_t read_address_ = 0;
  int read_beats_ = 0;
  uint64_t write_address_ = 0;
  bool address_taken_ = false;
  bool last_taken_ = false;
  Beat beats_[kMaxBeats] = {};
  size_t beat_count_ = 0;
  uint64_t writes_ = 0;
  link::Counter slots_read_;
  link::Counter slots_written_;
  // What is transferred at the coming edge.
  bool ar_ = false;
  bool r_ = false;
  bool aw_ = false;
  bool w_ = false;
  bool b_ = false;
};

}  // namespace fabrictwin::rtl::shell

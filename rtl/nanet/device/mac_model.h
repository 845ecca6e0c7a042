// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A MAC for 10 Gb/s Ethernet with its line (IEEE 802.3): words at the pins of a NaNet-10, frames outside.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>

#include "rtl/nanet/beat.h"

namespace fabrictwin::rtl::nanet {

/// One port. A frame takes as long as with preamble, frame check sequence and the least gap between frames. The MAC
/// takes these away and adds them; what is damaged on the line is marked. Time is in cycles of 64 bits, 156.25 MHz.
/// Used by one thread.
class MacModel {
 public:
  using Sink = std::function<void(const Bytes& frame, int64_t first_cycle)>;

  /// Frames that the device sends go to `sink`, with the cycle of their first word.
  void set_sink(Sink sink) { sink_ = std::move(sink); }
  /// Each word that the device sends goes to `sink`, with its cycle.
  using WordSink = std::function<void(const Beat& beat, int64_t cycle)>;
  void set_word_sink(WordSink sink) { word_sink_ = std::move(sink); }
  /// Words that the device sends come in at `peer`, `cycles` later.
  void connect(MacModel& peer, int64_t cycles) {
    peer_ = &peer;
    peer_cycles_ = cycles;
  }
  /// A frame of at least one byte comes, as soon as the line is free and not before `cycle`. Returns the cycle of its
  /// first word.
  int64_t receive(const Bytes& frame, bool damaged = false, int64_t cycle = 0);
  /// A word of a frame comes in `cycle`, not before those that came; who sends keeps the pace of the line.
  void arrive(const Beat& beat, int64_t cycle) { words_.push_back({cycle, beat}); }
  /// The cycle of the next edge.
  int64_t now() const { return now_; }
  /// The cycle from which on the line is free.
  int64_t free_cycle() const { return free_cycle_; }
  bool idle() const { return words_.empty(); }

  // The pins, at one clock edge.
  /// What is at the pins until the edge, or nothing.
  const Beat* present() {
    presented_ = !words_.empty() && words_.front().cycle <= now_;
    return presented_ ? &words_.front().beat : nullptr;
  }
  bool ready() const { return now_ >= next_tx_; }
  /// The device sends a word, or none.
  void edge(const Beat* sent);
  /// Frames that paused, which a MAC sends damaged.
  int64_t underruns() const { return underruns_; }

 private:
  struct Arrival {
    int64_t cycle = 0;
    Beat beat;
  };
  std::deque<Arrival> words_;
  Bytes sending_;
  bool presented_ = false;
  int64_t now_ = 0, free_cycle_ = 0, free_bytes_ = 0, next_tx_ = 0, first_cycle_ = 0, underruns_ = 0, tx_debt_ = 0;
  MacModel* peer_ = nullptr;
  int64_t peer_cycles_ = 0;
  Sink sink_;
  WordSink word_sink_;
};

}  // namespace fabrictwin::rtl::nanet

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Datagrams to send on their way from the memories of the computer to the ports of a card: rtl/nanet/nanet_dma_read.sv
// in cycles.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>

#include "cosim/base/time.h"
#include "cosim/link/record.h"
#include "models/nanet/frames.h"
#include "models/nanet/tlb.h"
#include "rtl/nanet/interface/card_spec.h"

namespace fabrictwin::nanet {

/// Takes datagrams one at a time, has each page translated, asks for bursts of at most 256 bytes, 16 of which are under
/// way, and gives their words on in the order in which it asked. Times are edges of the clock of the card, counted from
/// time zero. Used by one thread.
class DmaRead {
 public:
  struct Datagram {
    int32_t port = 0;
    int64_t bytes = 0;
    uint64_t address = 0;  ///< Virtual, a multiple of 16.
    uint32_t ip = 0;
    uint16_t to_port = 0, from_port = 0;
  };
  /// What the rest of the card does for it.
  struct Card {
    /// Acts at an edge that has not gone by.
    std::function<void(int64_t edge, std::function<void()> action)> at;
    /// Looks a page up; translated() follows at once or later.
    std::function<void(uint64_t page, Time now)> look_up;
    /// Asks a memory for words, at an edge; returns the tag with which data() follows.
    std::function<uint32_t(int64_t edge, uint64_t physical, uint32_t words, bool gpu)> read;
    /// Whether the port of a datagram has space for it, which it then keeps; if not, resume() follows.
    std::function<bool(const Datagram& datagram)> take_space;
    /// The last word of a datagram is at its port at an edge; `bad`: it could not be read.
    std::function<void(const Datagram& datagram, Bytes data, bool bad, int64_t edge, Time now)> deliver;
  };
  DmaRead(const rtl::nanet::CardSpec& spec, Card card);

  /// Datagrams that can be given.
  uint32_t free() const { return static_cast<uint32_t>(kWaiting - queue_.size()); }
  /// The register `send` is written with one. Only if one is free().
  void give(const Datagram& datagram, Time now);
  /// What became of the page that was looked up; nothing if nobody knows it.
  void translated(std::optional<Tlb::Mapping> mapping, Time now);
  /// Words of a burst have come. False if nothing waits for so many with this tag.
  bool data(uint32_t tag, std::span<const link::Word> words, bool error, Time now);
  /// A port has space again.
  void resume(Time now);

 private:
  static constexpr size_t kWaiting = 16;
  static constexpr size_t kBursts = 16;
  struct Waiting {
    Datagram datagram;
    int64_t edge = 0;  ///< When it is begun with at the earliest.
  };
  /// A burst that is asked for, or the end of a datagram that could not be translated.
  struct Burst {
    Datagram datagram;
    uint32_t tag = 0;
    int64_t bytes = 0;
    bool gpu = false, last = false, bad = false;
    size_t words = 0;  ///< Of 16 bytes; zero: there is nothing to come.
    std::deque<link::Word> data;
    std::deque<int64_t> edges;  ///< When each word came.
  };

  void plan(Time now);
  void begin(int64_t edge);
  void look_up(int64_t edge);
  void ask(Time now);
  void give_on(Time now);
  void take_words(Burst& burst);

  Card card_;
  std::array<int64_t, 2> word_fs_{};  ///< What a word takes of the memories of CPU and GPU, by their rates.
  std::deque<Waiting> queue_;
  std::optional<Datagram> current_;
  bool planned_ = false, blocked_ = false, reading_ = false;
  int64_t asked_ = 0;       ///< Bytes of the current datagram.
  int64_t next_ask_ = 0;    ///< When the next burst is asked for at the earliest.
  int64_t next_begin_ = 0;  ///< When the next datagram is begun with at the earliest.
  Tlb::Mapping mapping_;
  std::deque<Burst> bursts_;
  std::deque<int64_t> ended_;  ///< When those of the 16 bursts ended that are not under way.
  // Words that leave.
  int64_t last_word_ = -1;
  std::array<int64_t, 2> due_fs_{};                   ///< When the next word is due by the rate of its memory.
  std::array<int64_t, 4> port_word_{-1, -1, -1, -1};  ///< When the last half of a word came to each port.
  Bytes collected_;
  bool bad_ = false;
};

}  // namespace fabrictwin::nanet

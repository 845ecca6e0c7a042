// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The controller between a router and an APElink: docs/models/apelink.md.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "cosim/link/record.h"
#include "cosim/link/word_serializer.h"
#include "models/kernel/round_robin.h"

namespace fabrictwin::router::exanet {

/// A word in a buffer, with flags like link::kEndOfPacket.
struct BufferedWord {
  link::Word word;
  uint8_t flags = 0;
};

/// Holds the words of each VC that wait for the link, and sends whole packets, VCs in turn, each with the quarter words
/// of its framing. Not thread-safe.
class ApelinkController {
 public:
  /// What it puts on the link.
  struct Sent {
    BufferedWord word;
    int32_t vc = 0;
    int64_t slot = 0;
  };

  bool empty() const { return waiting_[0].empty() && waiting_[1].empty(); }
  void push(int32_t vc, const BufferedWord& word) { waiting_[vc].push_back(word); }

  /// The VC from which it takes its next word, or -1.
  int32_t next_vc() const {
    if (sending_ >= 0) return waiting_[sending_].empty() ? -1 : sending_;
    return turn_.find(link::kVcs, [this](int32_t vc) { return !waiting_[vc].empty(); });
  }

  /// Sends the next word, which is there, over a link that is ready at `cycle`.
  Sent send(int64_t cycle, link::WordSerializer& serializer) {
    const int32_t vc = next_vc();
    const int64_t before = serializer.last_slot();
    const Sent sent{waiting_[vc].front(), vc, serializer.accept(cycle)};
    waiting_[vc].pop_front();
    // Without a following packet, idle units fill the word.
    if (sent.slot > before + 1) framing_ = 0;
    sending_ = vc;
    if ((sent.word.flags & link::kEndOfPacket) == 0) return sent;
    sending_ = -1;
    turn_.granted(vc, link::kVcs);
    framing_ += kFramingQuarters;
    if (framing_ >= 4) {
      framing_ -= 4;
      serializer.skip(cycle);
    }
    return sent;
  }

 private:
  /// Framing of a packet: Magic, Start and CRC, 32 bits each. Nothing is aligned to words.
  static constexpr uint8_t kFramingQuarters = 3;

  std::array<std::deque<BufferedWord>, link::kVcs> waiting_;  ///< By VC.
  int32_t sending_ = -1;                                      ///< The VC whose packet has begun on the link, or -1.
  kernel::RoundRobin turn_;
  uint8_t framing_ = 0;  ///< Quarter words of framing in the slot after the last word.
};

}  // namespace fabrictwin::router::exanet

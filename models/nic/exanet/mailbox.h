// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The mailbox: accepts or refuses each message, and passes it to the processor.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <unordered_map>

#include "models/nic/exanet/context.h"
#include "models/nic/exanet/memory.h"

namespace fabrictwin::nic::exanet {

class Processor;

/// The rings and verdicts of docs/models/exanet-ni.md. All interfaces have the same protection domain. Not thread-safe.
class Mailbox {
 public:
  struct Config {
    int32_t depth = 16;               ///< Entries of each ring.
    uint64_t enabled = ~uint64_t{0};  ///< Bit i: interface i.
    bool in_memory = false;           ///< The rings are in the host's memory.
  };
  /// Entries of rings in memory that may be on their way there; messages that come beyond are dropped.
  static constexpr int32_t kMostWrites = 32;

  /// `memory` outlives the mailbox; it is used for rings in memory.
  Mailbox(Context& context, Memory& memory, Config config) : context_(context), memory_(memory), config_(config) {}

  /// Binds the reader of the rings, for timing.accesses(); it outlives the mailbox's activity.
  void bind_processor(Processor* processor) { processor_ = processor; }

  /// A message has arrived completely.
  void arrived(const ShortPacket& message);

  uint64_t accepted() const { return accepted_; }
  uint64_t refused() const { return refused_; }
  uint64_t duplicates() const { return duplicates_; }  ///< Messages answered again.
  uint64_t dropped() const { return dropped_; }        ///< Messages that got no answer.

 private:
  struct Seen {
    uint32_t sequence = 0;
    Verdict verdict = Verdict::kNone;
    bool written = true;  ///< The message is in its ring, if it was accepted.
  };
  Verdict decide(const ShortPacket& message);
  void answer(const ShortPacket& message, Verdict verdict, int32_t cycles);
  void enter(const ShortPacket& message);
  void enter_memory(const ShortPacket& message);
  /// The processor finds a message in memory.
  void in_memory(const Message& message);
  void take();

  Context& context_;
  Memory& memory_;
  Config config_;
  Processor* processor_ = nullptr;
  std::unordered_map<uint64_t, Seen> seen_;  ///< By source and channel.
  std::array<int32_t, kNiInterfaces> used_{};
  std::deque<Message> waiting_;  ///< Messages known to the processor, which is busy.
  bool busy_ = false;
  int32_t writing_ = 0;
  uint64_t accepted_ = 0, refused_ = 0, duplicates_ = 0, dropped_ = 0;
};

}  // namespace fabrictwin::nic::exanet

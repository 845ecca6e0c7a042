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

namespace fabrictwin::nic::exanet {

class Processor;

/// The rings and verdicts of docs/models/exanet-ni.md. All interfaces have the same protection domain. Not thread-safe.
class Mailbox {
 public:
  struct Config {
    int32_t depth = 16;               ///< Entries of each ring.
    uint64_t enabled = ~uint64_t{0};  ///< Bit i: interface i.
  };
  Mailbox(Context& context, Config config) : context_(context), config_(config) {}

  /// Binds the reader of the rings, for timing.accesses(); it outlives the mailbox's activity.
  void bind_processor(Processor* processor) { processor_ = processor; }

  /// A message has arrived completely.
  void arrived(const ShortPacket& message);

  uint64_t accepted() const { return accepted_; }
  uint64_t refused() const { return refused_; }
  uint64_t duplicates() const { return duplicates_; }  ///< Messages answered again.

 private:
  struct Seen {
    uint32_t sequence = 0;
    Verdict verdict = Verdict::kNone;
  };
  Verdict decide(const ShortPacket& message);
  void enter(const ShortPacket& message);
  void take();

  Context& context_;
  Config config_;
  Processor* processor_ = nullptr;
  std::unordered_map<uint64_t, Seen> seen_;  ///< By source and channel.
  std::array<int32_t, kNiInterfaces> used_{};
  std::deque<Message> waiting_;  ///< Messages known to the processor, which is busy.
  bool busy_ = false;
  uint64_t accepted_ = 0, refused_ = 0, duplicates_ = 0;
};

}  // namespace fabrictwin::nic::exanet

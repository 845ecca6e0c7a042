// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The mailbox: decides what becomes of each message, and gives it to the processor.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <unordered_map>

#include "models/ni_context.h"

namespace fabrictwin {

class NiProcessor;

/// The rings and verdicts of docs/models/exanet-ni.md. All interfaces have the same protection domain. Not thread-safe.
class NiMailbox {
 public:
  struct Config {
    int32_t depth = 16;               ///< Entries of each ring.
    uint64_t enabled = ~uint64_t{0};  ///< Bit i: interface i.
  };
  NiMailbox(NiContext& context, Config config) : context_(context), config_(config) {}

  /// Who reads the rings, for timing.accesses(); outlives the mailbox's activity.
  void bind_processor(NiProcessor* processor) { processor_ = processor; }

  /// A message has come whole.
  void arrived(const ShortPacket& message);

  uint64_t accepted() const { return accepted_; }
  uint64_t refused() const { return refused_; }
  uint64_t duplicates() const { return duplicates_; }  ///< Answered again.

 private:
  struct Seen {
    uint32_t sequence = 0;
    NiVerdict verdict = NiVerdict::kNone;
  };
  NiVerdict decide(const ShortPacket& message);
  void enter(const ShortPacket& message);
  void take();

  NiContext& context_;
  Config config_;
  NiProcessor* processor_ = nullptr;
  std::unordered_map<uint64_t, Seen> seen_;  ///< By source and channel.
  std::array<int32_t, kNiInterfaces> used_{};
  std::deque<NiMessage> waiting_;  ///< Known to the processor, which is busy.
  bool busy_ = false;
  uint64_t accepted_ = 0, refused_ = 0, duplicates_ = 0;
};

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The mailbox: accepts or refuses each message, and passes it to the processor.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/nic/exanet/context.h"
#include "models/nic/exanet/interrupts.h"
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
    /// The processor hears of messages by interrupts; without it, by itself.
    std::optional<InterruptSettings> interrupt;
  };
  /// Entries of rings in memory that may be on their way there; messages that come beyond are dropped.
  static constexpr int32_t kMostWrites = 32;

  /// `memory` outlives the mailbox; it is used for rings in memory.
  Mailbox(Context& context, Memory& memory, const Config& config);

  /// Binds the reader of the rings, for timing.accesses(); it outlives the mailbox's activity.
  void bind_processor(Processor* processor) { processor_ = processor; }

  /// A message has arrived completely.
  void arrived(const ShortPacket& message);

  /// The registers of the interrupt at the current edge: interfaces with entries that the processor has not seen, and
  /// the write of what it has.
  uint64_t pending() const { return interrupts_->pending(); }
  void clear(uint64_t bits);
  /// With interrupts: the processor finds all entries that are in this ring.
  std::vector<Message> look(int32_t interface);
  bool in_memory() const { return config_.in_memory; }
  /// The processor has found a message, in a ring in memory also its contents.
  void found(const Message& message);

  uint64_t accepted() const { return accepted_; }
  uint64_t refused() const { return refused_; }
  uint64_t duplicates() const { return duplicates_; }  ///< Messages answered again.
  uint64_t dropped() const { return dropped_; }        ///< Messages that got no answer.
  uint64_t interrupts() const { return interrupts_sent_; }

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
  void take();
  /// An entry has been added, and is told by the interrupt.
  void told(const Message& message);
  void expect_interrupt();
  void send_interrupt();
  /// The processor looks, without register accesses.
  void serve();

  Context& context_;
  Memory& memory_;
  Config config_;
  Processor* processor_ = nullptr;
  std::unordered_map<uint64_t, Seen> seen_;  ///< By source and channel.
  std::array<int32_t, kNiInterfaces> used_{};
  std::deque<Message> waiting_;  ///< Messages known to the processor, which is busy.
  bool busy_ = false;
  int32_t writing_ = 0;
  std::optional<Interrupts> interrupts_;
  std::vector<std::deque<Message>> unseen_;  ///< With interrupts, by interface: entries that are not found yet.
  bool asked_ = false;                       ///< The interrupt was sent since the last clear().
  uint64_t interrupts_sent_ = 0;
  uint64_t accepted_ = 0, refused_ = 0, duplicates_ = 0, dropped_ = 0;
};

}  // namespace fabrictwin::nic::exanet

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Takes messages from the registers of a mailbox, or from its rings in memory (docs/models/exanet-ni.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "models/nic/exanet/driver/register_port.h"
#include "models/nic/exanet/interrupts.h"
#include "models/nic/exanet/port.h"

namespace fabrictwin::nic::exanet::driver {

/// Of rings in block RAM, each event stands for one entry, so tail and slot need not be read. The entry's description
/// and its first 32 bytes are read at once, as no message of the driver is shorter; the rest is read and the head
/// advanced when the length is known. An entry of a ring in memory is taken when its lap is written, after all else of
/// it; then only the head is a register. With interrupts the processor looks at what is pending instead, clears that,
/// and takes all that is in those rings, in block RAM up to their tails; what comes later interrupts again. Messages of
/// an interface are delivered in the order of the ring. Not thread-safe.
class RegisterMailbox {
 public:
  /// `port` and `client` outlive the mailbox; `depth` is that of the logic's rings, or of those `in_memory`, a power of
  /// two up to kMaxRingEntries. Without `interrupt` the processor sees each entry by itself.
  RegisterMailbox(RegisterPort& port, Client& client, uint32_t depth, bool in_memory,
                  const std::optional<InterruptSettings>& interrupt)
      : port_(port),
        client_(client),
        depth_(depth),
        in_memory_(in_memory),
        interrupt_(interrupt),
        rings_(kNiInterfaces) {}

  /// Writes of configure() for the interrupt.
  static constexpr int32_t kInterruptWrites = 2;
  /// Writes of configure() for each interface.
  static constexpr int32_t configuration_writes(bool in_memory) { return in_memory ? 2 : 1; }
  /// Lets interfaces 0 to `interfaces` - 1, which are kMailboxes with rings in memory, receive messages for `pdid`.
  void configure(int32_t interfaces, uint16_t pdid);
  /// The ring of `interface` has one more entry.
  void event(int32_t interface);
  /// The interrupt of the mailbox has risen.
  void interrupt();
  /// The logic has written to memory.
  void memory_written(uint64_t address, std::span<const std::byte> bytes, const std::array<uint64_t, 4>& strobes);

 private:
  struct Entry {
    Message message;
    int words_asked = 0;
    int words_here = 0;
    bool described = false;
    bool complete() const { return described && words_here == words_asked; }
  };
  struct Ring {
    uint32_t tail = 0;  ///< Entries announced by events, modulo twice the depth.
    uint32_t head = 0;  ///< Entries freed.
    std::deque<Entry> entries;
    uint64_t delivered = 0;                            ///< Entries that have left `entries`.
    uint64_t lap = 1;                                  ///< In memory: what the next entry has,
    std::array<std::byte, kNiMessageBytes> payload{};  ///< and its payload, as far as it has been written.
    std::deque<Message> unseen;                        ///< In memory, with interrupts: entries that were not looked at.
  };

  void configure_interrupt(int32_t interfaces);
  void look();
  /// Looks at the rings of these interfaces.
  void look(uint64_t pending);
  void read_tail(int32_t interface);
  /// One more entry is in this ring, in block RAM.
  void add_entry(int32_t interface);
  void take(const Message& message);
  void ask(int32_t interface, uint64_t number, uint32_t slot, int word);
  void take_word(int32_t interface, uint64_t number, int word, uint64_t value);
  void take_description(int32_t interface, uint64_t number, uint32_t slot, uint64_t value);
  void take_entry(int32_t interface, uint32_t slot, uint64_t description);
  void describe(uint64_t value, Message& message) const;
  void advance_head(int32_t interface);
  void deliver(int32_t interface);
  bool check(int32_t interface, uint32_t response);
  bool check_interrupt(uint32_t response);

  RegisterPort& port_;
  Client& client_;
  uint32_t depth_;
  bool in_memory_;
  std::optional<InterruptSettings> interrupt_;
  std::vector<Ring> rings_;
};

}  // namespace fabrictwin::nic::exanet::driver

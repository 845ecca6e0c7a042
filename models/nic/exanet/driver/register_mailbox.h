// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Takes messages from the registers of a mailbox (docs/models/exanet-ni.md).
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/nic/exanet/driver/register_port.h"
#include "models/nic/exanet/port.h"

namespace fabrictwin::nic::exanet::driver {

/// Each event stands for one entry, so tail and slot need not be read. The entry's description and its first 32 bytes
/// are read at once, as no message of the driver is shorter; the rest is read and the head advanced when the length is
/// known. Messages of an interface are delivered in the order of the ring. Not thread-safe.
class RegisterMailbox {
 public:
  /// `port` and `client` outlive the mailbox; `depth` is that of the logic's rings.
  RegisterMailbox(RegisterPort& port, Client& client, uint32_t depth)
      : port_(port), client_(client), depth_(depth), rings_(kNiInterfaces) {}

  /// Lets interfaces 0 to `interfaces` - 1 receive messages for `pdid`.
  void configure(int32_t interfaces, uint16_t pdid);
  /// The ring of `interface` has one more entry.
  void event(int32_t interface);

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
    uint64_t delivered = 0;  ///< Entries that have left `entries`.
  };

  void ask(int32_t interface, uint64_t number, uint32_t slot, int word);
  void take_word(int32_t interface, uint64_t number, int word, uint64_t value);
  void take_description(int32_t interface, uint64_t number, uint32_t slot, uint64_t value);
  void deliver(int32_t interface);
  bool check(int32_t interface, uint32_t response);

  RegisterPort& port_;
  Client& client_;
  uint32_t depth_;
  std::vector<Ring> rings_;
};

}  // namespace fabrictwin::nic::exanet::driver

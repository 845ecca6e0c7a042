// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The time that a processor spends on the registers of a modelled network interface.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "models/nic/exanet/context.h"
#include "models/nic/exanet/packetizer.h"
#include "models/nic/exanet/port.h"
#include "models/nic/exanet/rdma_sender.h"

namespace fabrictwin::nic::exanet {

class Mailbox;

/// Makes the register accesses that RegisterNi makes (docs/models/exanet-node.md, "The processor's side"), without
/// registers: one at a time, in the order in which the processor begins them, each for the cycles that Timing says,
/// with the host port's latency before and after. For timing.accesses(). Not thread-safe.
class Processor {
 public:
  /// Makes `configuration` writes at time zero.
  Processor(Context& context, Packetizer& packetizer, RdmaSender& sender, int32_t configuration);

  /// Implement the functions of Port, from the processor's call on.
  void send_message(int32_t channel, Node node, int32_t interface, std::span<const std::byte> payload);
  void start_transfer(int32_t channel, const Transfer& transfer);

  /// A message is in the ring and the processor knows of it. `taken` is called when its entry is free again.
  void message_in_ring(const Message& message, std::function<void()> taken);
  /// A message is in a ring in memory, where the processor has found it without reading registers. `taken` is as above.
  void message_in_memory(const Message& message, std::function<void()> taken);
  /// The interrupt of the mailbox has come: reads which interfaces have entries, says that it has seen them, and finds
  /// the entries of each, those in block RAM by reading the tail of their ring.
  void interrupted(Mailbox& mailbox);
  /// The processor has seen the notification of its own transfer, one latency ago, and reads the channel's state.
  void transfer_seen();

 private:
  struct Entry {
    Message message;
    bool complete = false;
  };
  struct Destination {
    Node node = 0;
    int32_t interface = -1;
  };
  using Action = std::function<void()>;

  /// Begins an access at the processor, now. `effect` runs at the edge at which it begins in the logic, `answer` when
  /// the processor has the response; both may be empty.
  void access(int32_t cycles, Action effect, Action answer);
  void poll(int32_t channel, Time rung);
  /// Finds all entries of these interfaces, whose rings are in memory.
  static void find(Mailbox& mailbox, uint64_t bits);
  void deliver(size_t interface);

  Context& context_;
  Packetizer& packetizer_;
  RdmaSender& sender_;
  int64_t free_ = 0;  ///< Edge from which the next access may begin.
  std::array<Destination, kNiChannels> destinations_{};
  std::array<std::deque<Entry>, kNiInterfaces> entries_;
  std::array<uint64_t, kNiInterfaces> delivered_{};
};

}  // namespace fabrictwin::nic::exanet

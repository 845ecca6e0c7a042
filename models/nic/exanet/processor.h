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

#include "models/ni_context.h"
#include "models/ni_packetizer.h"
#include "models/ni_port.h"
#include "models/rdma_sender.h"

namespace fabrictwin {

/// Makes the register accesses that RegisterNi makes (docs/models/exanet-node.md, "The processor's side"), without
/// registers: one at a time, in the order in which the processor begins them, each for the cycles that NiTiming says,
/// with the host port's latency before and after. For timing.accesses(). Not thread-safe.
class NiProcessor {
 public:
  /// At time zero it makes `configuration` writes.
  NiProcessor(NiContext& context, NiPacketizer& packetizer, RdmaSender& sender, int32_t configuration);

  /// What NiPort does, from the processor's call on.
  void send_message(int32_t channel, NiNode node, int32_t interface, std::span<const std::byte> payload);
  void start_transfer(int32_t channel, const NiTransfer& transfer);

  /// A message is in the ring and the processor has heard of it. `taken` is called when its entry is free again.
  void message_in_ring(const NiMessage& message, std::function<void()> taken);
  /// The processor has seen the notification of a transfer of its own, one latency ago, and asks for the channel's
  /// state.
  void transfer_seen();

 private:
  struct Entry {
    NiMessage message;
    bool complete = false;
  };
  struct Destination {
    NiNode node = 0;
    int32_t interface = -1;
  };
  using Action = std::function<void()>;

  /// Begins an access at the processor, now. `effect` comes at the edge at which it begins in the logic, `answer` when
  /// the processor has the answer; both may be empty.
  void access(int32_t cycles, Action effect, Action answer);
  void poll(int32_t channel, Time rung);
  void deliver(size_t interface);

  NiContext& context_;
  NiPacketizer& packetizer_;
  RdmaSender& sender_;
  int64_t free_ = 0;  ///< Edge from which the next access may begin.
  std::array<Destination, kNiChannels> destinations_{};
  std::array<std::deque<Entry>, kNiInterfaces> entries_;
  std::array<uint64_t, kNiInterfaces> delivered_{};
};

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How long the steps of the network interface take: docs/models/exanet-ni-model.md says where each number is from.
#pragma once

#include <cstdint>

#include "cosim/base/clock.h"
#include "cosim/base/time.h"

namespace fabrictwin {

/// Times of the model of the network interface. Plain numbers are cycles of its clock.
struct NiTiming {
  Clock clock{Frequency{156'250'000}};
  Time host_latency = Time::from_ps(62'500);  ///< Of the port between processors and logic, each way.
  Time take_time;                             ///< For which the processor is busy with a message of the mailbox.

  /// The processor's accesses to registers, one at a time: how long one keeps the others waiting. If the first is zero
  /// they take no time, and messages come to the processor whole; docs/models/validation.md has what they take in RTL.
  int32_t register_write = 0;    ///< Of packetizer and mailbox.
  int32_t register_read = 0;     ///< Of anything.
  int32_t descriptor_write = 0;  ///< Of the RDMA unit.
  int32_t control_write = 4;     ///< A doorbell, the head of a ring.
  bool accesses() const { return register_write > 0; }

  int32_t doorbell = 4;             ///< Doorbell to the first word on the link.
  int32_t mailbox = 2;              ///< Edge that samples the last word of a message to its entry in the ring.
  int32_t answer = 3;               ///< The same edge to the first word of the answer.
  int32_t answered = 1;             ///< Edge that samples the last word of an answer to the new state of the channel.
  int32_t message_timeout = 16384;  ///< From a message's leaving to its next copy.
  int32_t message_copies = 7;       ///< After the first.

  int32_t firmware = 0;        ///< To start a transfer, one at a time.
  int32_t transfer_start = 2;  ///< Doorbell, or end of the firmware's work, to the first read of memory.
  int32_t cell_interval = 3;   ///< Between two reads of memory.
  int32_t cell_send = 1;       ///< Last word from memory to the first word on the link.
  int32_t notify_send = 3;     ///< Read of the last cell to the first word of the notification's packet.
  int32_t forward = 1;         ///< Sampled last word to the first one's going on to the RDMA unit, a word in a cycle.
  int32_t cell_receive = 2;    ///< Last word of a cell at the RDMA unit to the first word's write to memory.
  int32_t notify = 5;          ///< Memory's answer for the last cell to the notification's write.
  int32_t early_notify = 0;    ///< Write of the last cell to that of an early one, which follows on the data wires.
  int32_t block_answer = 4;    ///< Memory's answer to the first word of the answer for the block.
  int32_t block_answered = 6;  ///< Last word of that at the RDMA unit to what follows from it.
  int32_t transfer_timeout = 32768;  ///< From the last cell of a block to its being sent again.
  int32_t transfer_backoff = 1024;   ///< From a refusal to that.
  int32_t transfer_retries = 8;
  bool early_notifications = false;  ///< Of own transfers: notifications do not wait for memory's answers.
  int32_t bursts = 8;                ///< Reads, and writes, of memory under way; also cells that wait to be sent.
};

}  // namespace fabrictwin

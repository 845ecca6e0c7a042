// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Latencies of the network interface's steps; docs/models/exanet-ni-model.md gives the source of each number.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cosim/base/clock.h"
#include "cosim/base/time.h"

namespace fabrictwin::nic::exanet {

/// Times of the model of the network interface. Plain numbers are cycles of its clock.
struct Timing {
  Clock clock{Frequency{156'250'000}};
  Time host_latency = Time::from_ps(62'500);  ///< Latency of the port between processors and logic, per direction.
  Time take_time;                             ///< How long the processor is busy with a message of the mailbox.

  /// The processor's accesses to registers, one at a time: how long each keeps the others waiting. If the first is
  /// zero, accesses take no time and messages reach the processor complete; docs/models/validation.md has the values of
  /// RTL.
  int32_t register_write = 0;    ///< A write to packetizer or mailbox.
  int32_t register_read = 0;     ///< A read of any register.
  int32_t descriptor_write = 0;  ///< A write to a descriptor of the RDMA unit.
  int32_t control_write = 4;     ///< A write to a doorbell or the head of a ring.
  bool accesses() const { return register_write > 0; }

  int32_t doorbell = 4;     ///< From the doorbell to the first word on the link.
  int32_t mailbox = 2;      ///< From the edge that samples the last word of a message to its entry in the ring.
  int32_t answer = 3;       ///< From the edge that samples the last word of a message to the first word of the answer.
  int32_t ring_write = 4;   ///< Rings in memory: from the edge that samples the last word of a message to its write,
  int32_t ring_answer = 3;  ///< and from memory's response for its entry to the first word of the answer.
  int32_t answered = 1;     ///< From the edge that samples the last word of an answer to the new state of the channel.
  int32_t message_timeout = 16384;  ///< From a message's departure to its next copy.
  int32_t message_copies = 7;       ///< Copies after the first transmission.

  int32_t firmware = 0;        ///< Firmware time to start a transfer, one at a time.
  int32_t transfer_start = 2;  ///< From the doorbell, or the end of the firmware's work, to the first read of memory.
  int32_t cell_interval = 3;   ///< Between two reads of memory.
  int32_t cell_send = 1;       ///< From the last word read from memory to the first word on the link.
  int32_t notify_send = 3;     ///< From the read of the last cell to the first word of the notification's packet.
  int32_t forward = 1;  ///< From the last word sampled to the first one forwarded to the RDMA unit, one word per cycle.
  int32_t cell_receive = 2;          ///< Last word of a cell at the RDMA unit to its first word's write to memory.
  int32_t notify = 5;                ///< From memory's response for the last cell to the write of the notification.
  int32_t early_notify = 0;          ///< Write of the last cell to that of an early notification, which follows it.
  int32_t block_answer = 4;          ///< From memory's response to the first word of the answer for the block.
  int32_t block_answered = 6;        ///< From the last word of that answer at the RDMA unit to its effect.
  int32_t notice = 3;                ///< From the last word of a marked cell at the RDMA unit to the notice.
  int32_t transfer_timeout = 32768;  ///< From the last cell of a block to its retransmission.
  int32_t transfer_backoff = 1024;   ///< From a refusal to the retransmission.
  int32_t transfer_retries = 8;
  /// From the answer that a block waits in the other node to its retransmission; never as long as half of what the
  /// RTL counts.
  int32_t queue_timeout() const {
    constexpr int32_t kTick = 16, kMost = 0x7fff;
    return std::min(8 * (transfer_timeout / kTick), kMost) * kTick;
  }
  bool early_notifications = false;  ///< For own transfers: notifications do not wait for memory's responses.
  /// The receiver remembers pages that are present, and waits for no response of writes to them.
  bool translation_cache = false;
  int32_t reduce_write = 3;    ///< A register of the Allreduce accelerator written by the processor, one at a time.
  int32_t reduce_read = 4;     ///< A register of it read by the processor.
  int32_t reduce_start = 3;    ///< From the command of a client to the first word of its vector on the link.
  int32_t reduce_send = 2;     ///< From the end of a server's step to the first word on the link.
  int32_t reduce_receive = 1;  ///< From the last word of a vector at the accelerator to its use.
  int32_t reduce_combine = 7;  ///< To combine a vector, beyond a cycle for each 8 bytes.
  int32_t reduce_event = 1;    ///< From the end of an operation to its event.
  int32_t bursts = 8;          ///< Reads, and writes, of memory in progress; also cells that wait to be sent.
};

}  // namespace fabrictwin::nic::exanet

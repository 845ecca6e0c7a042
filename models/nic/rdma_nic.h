// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A generic RDMA adapter on PCI Express: docs/models/rdma-nic.md.
#pragma once

#include <cstdint>

#include "cosim/base/time.h"
#include "models/nic/queue_nic.h"

namespace fabrictwin::nic {

/// Queue pairs with doorbells, descriptors (work requests) that are fetched from memory or written with the doorbell,
/// messages in packets of an MTU, and an ack for each message (a reliable connection). Packets are those of InfiniBand.
class RdmaNic final : public QueueNic {
 public:
  /// The frame of the longest packet, the first of a message, in bytes besides its payload.
  static constexpr int32_t kFrame = 42;

  /// Times of PCI Express: Neugebauer et al., "Understanding PCIe performance for end host networking" (SIGCOMM 2018)
  /// has reads of 64 bytes at about half a microsecond; a write to a device takes about half of that. The rest is
  /// typical of adapters of 100 Gb/s; `processing` is what is left of a published latency (docs/models/rdma-nic.md).
  struct Timing {
    int32_t ports = 1;
    int32_t queue_pairs = 16;            ///< Queue pairs of each port, served in turn.
    int32_t mtu = 4096;                  ///< Payload of a packet: 256, 512, 1024, 2048 or 4096.
    int32_t inline_bytes = 220;          ///< The largest message that fits into a descriptor.
    bool blue_flame = true;              ///< A descriptor for an idle queue comes with its doorbell.
    Time doorbell = Time::from_ns(250);  ///< Latency of the processor's write to the adapter.
    Time fetch = Time::from_ns(500);     ///< Latency of a read of the host's memory: descriptor or first payload bytes.
    Time processing = Time::from_ns(159);  ///< Latency of adapter and driver for each packet in and out; pipelined.
    Time message_interval = Time::from_ns(10);  ///< 100 million messages a second.
    Time completion = Time::from_ns(250);       ///< From the last byte or a completion entry to the host's memory.
  };

  static Costs costs(const Timing& timing);

  using QueueNic::QueueNic;
};

}  // namespace fabrictwin::nic

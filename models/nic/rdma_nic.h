// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A generic RDMA adapter on PCI Express: docs/models/rdma-nic.md.
#pragma once

#include <cstdint>

#include "models/queue_nic.h"

namespace fabrictwin {

/// Queue pairs with doorbells, descriptors (work requests) that are fetched from memory or written with the doorbell,
/// messages in packets of an MTU, and an ack for each message (a reliable connection). Packets as of InfiniBand.
class RdmaNic final : public QueueNic {
 public:
  /// Times of PCI Express: Neugebauer et al., "Understanding PCIe performance for end host networking" (SIGCOMM 2018)
  /// has reads of 64 bytes at about half a microsecond; a write to a device takes about half of that. The rest is
  /// typical of adapters of 100 Gb/s; `processing` is what is left of a published latency (docs/models/rdma-nic.md).
  struct Timing {
    int32_t ports = 1;
    int32_t queue_pairs = 16;              ///< Of each port, that take turns.
    int32_t mtu = 4096;                    ///< Payload of a packet: 256, 512, 1024, 2048 or 4096.
    int32_t inline_bytes = 220;            ///< Messages that fit into a descriptor.
    bool blue_flame = true;                ///< A descriptor for an idle queue comes with its doorbell.
    Time doorbell = Time::from_ns(250);    ///< The processor's write until the adapter has it.
    Time fetch = Time::from_ns(500);       ///< A read of the host's memory: descriptor, or first bytes of a message.
    Time processing = Time::from_ns(159);  ///< Of adapter and driver, for each packet in and out, in passing.
    Time message_interval = Time::from_ns(10);  ///< 100 million messages a second.
    Time completion = Time::from_ns(250);       ///< Last byte, or entry of a completion queue, to the host's memory.
  };

  static Costs costs(const Timing& timing);

  using QueueNic::QueueNic;
};

}  // namespace fabrictwin

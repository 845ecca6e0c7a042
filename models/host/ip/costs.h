// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the network stack of a host costs its processors.
#pragma once

#include <cstdint>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"

namespace fabrictwin::host::ip {

/// The costs of a network stack with a TUN device; see IpStack in ip.proto, which has the defaults. Value type.
struct Costs {
  Time passage;               ///< Processor time of each passage through the kernel, beside that of the copy.
  Bandwidth copy_rate;        ///< If zero, copies take no time.
  Time wake_up;               ///< From an event until a thread that sleeps runs.
  bool polls = false;         ///< The program at the TUN device polls its network interface for arrivals.
  int32_t transfers = 1;      ///< Packets that this program has handed to its network interface, and that are there.
  int32_t mtu = 16384;        ///< The longest IP packet, 68 to 65535 bytes.
  int64_t socket_buffer = 0;  ///< Bytes of datagrams on their way out of a socket, and of those that have come.

  /// The time of a passage with a copy of `bytes`.
  Time of(int64_t bytes) const;
};

}  // namespace fabrictwin::host::ip

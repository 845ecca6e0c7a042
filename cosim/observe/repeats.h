// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What network interfaces with a protocol of their own have sent again.
#pragma once

#include <cstdint>

#include "cosim/metric/sink.h"

namespace fabrictwin::observe {

/// Repetitions of the network interfaces of nodes (docs/models/faults.md): models and RTL count the same ones.
struct Repeats {
  uint64_t messages = 0;  ///< Messages between mailboxes, each time that one is sent after the first.
  uint64_t blocks = 0;    ///< Blocks of RDMA transfers, likewise.
};

/// Adds them as metrics.
void measure(const Repeats& repeats, metric::Sink& sink);

}  // namespace fabrictwin::observe

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What an experiment says about a NaNet-10 card and the computer around it.
#pragma once

#include <cstdint>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"

namespace fabrictwin::rtl::nanet {

/// See Nanet in nanet.proto, which has the defaults.
struct CardSpec {
  int32_t ports = 4;
  Time line_latency;
  Time pcie_latency;
  Time memory_latency;
  Time interrupt_latency;
  Bandwidth write_rate;
  Bandwidth cpu_read_rate;
  Bandwidth gpu_read_rate;
};

/// Bytes of a page that a card asks its computer for.
inline constexpr uint64_t kPageBytes = 65536;
/// The line of each port.
inline constexpr Bandwidth kLineRate{10'000'000'000};
/// Bits of a word of a line.
inline constexpr int32_t kLineBits = 64;
/// Streams of a port.
inline constexpr int32_t kPortStreams = 4;

}  // namespace fabrictwin::rtl::nanet

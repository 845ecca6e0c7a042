// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the NaNet-10 in RTL takes and how long, measured in simulation; docs/models/nanet.md has the published figures
// beside it.
#pragma once

#include <cstdint>

namespace fabrictwin::rtl::nanet {

/// Cycles of the MAC that a transceiver and its MAC take in both directions together, which are not in the RTL. Chosen
/// so that loop_cycles() is as published.
inline constexpr int64_t kTransceiverCycles = 48;

/// From the first payload word of a datagram of `bytes` in the sender of one port to that in the receiver of another,
/// in cycles of 156.25 MHz, with so many of them on the line.
double loop_cycles(int bytes, int64_t line_cycles);

/// When a datagram that fills a buffer is in memory, after its first word came from the MAC, in nanoseconds.
struct MemoryLatency {
  double data = 0;   ///< Its last word was given to the memory.
  double event = 0;  ///< Its event was given to the memory.
};
MemoryLatency memory_latency(int bytes, bool gpu);

/// Datagrams that fill a buffer each, at `load` of the line rate on `ports` ports.
struct Stream {
  double payload_gbps = 0;  ///< That is in memory, of all ports together.
  double line_gbps = 0;     ///< Payload with headers, gaps and checksums.
  double least_ns = 0;      ///< The least latency until the event.
  double mean_ns = 0;
  double most_ns = 0;
  int64_t datagrams = 0;
  int64_t lost = 0;
};
Stream stream(int bytes, int ports, double load, int datagrams);

/// GB/s between the device and a memory with datagrams of 1408 bytes: into it on four ports at line rate, or out of it.
double write_gbytes();
double read_gbytes(double memory_gbytes);

}  // namespace fabrictwin::rtl::nanet

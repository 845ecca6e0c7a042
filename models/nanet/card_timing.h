// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the model of a card takes for what the RTL does in cycles: measured with one port and nothing else under way.
#pragma once

#include <cstdint>

#include "cosim/base/time.h"

namespace fabrictwin::nanet::timing {

inline constexpr Time kCycle = Time::from_fs(5'000'000);  ///< 200 MHz.
constexpr Time cycles(uint32_t count) { return Time::from_fs(kCycle.fs() * count); }
/// The first edge of the clock of the card at or after a time, and the time of an edge.
constexpr int64_t edge_of(Time time) { return (time.fs() + kCycle.fs() - 1) / kCycle.fs(); }
constexpr Time time_of(int64_t edge) { return Time::from_fs(kCycle.fs() * edge); }
/// From the last word of a frame at the card to the last word of its data on the PCIe port.
inline constexpr Time kReceive = Time::from_fs(68'000'000);
/// From the acknowledgement of the data before an event to its record on the PCIe port.
inline constexpr Time kEvent = Time::from_fs(15'000'000);
/// From the end of a request of ARP or an echo request to the answer.
inline constexpr Time kAnswer = Time::from_fs(200'000'000);
/// An access to a register: three edges.
inline constexpr Time kAccess = Time::from_fs(15'000'000);
/// From a page that the driver has told to the burst that waits for it.
inline constexpr Time kRefill = Time::from_fs(30'000'000);
/// From such a page to the answer of the TLB where a datagram to send waits for it: five edges.
inline constexpr Time kTold = Time::from_fs(25'000'000);
/// Between two bursts, in which nothing is written.
inline constexpr Time kBetween = Time::from_fs(1'000'000);

}  // namespace fabrictwin::nanet::timing

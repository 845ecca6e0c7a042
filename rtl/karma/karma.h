// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The KARMA self-test: what the RTL carries and how long it takes, measured by generators and counters in the RTL
// itself.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "rtl/karma/karma_top.h"

namespace fabrictwin::rtl::karma {

inline constexpr int kKarmaMaxPayload = 512;  ///< Bytes.
inline constexpr int kKarmaNodes = 3;         ///< In the row of nodes.
inline constexpr double kKarmaCycleNs = 6.4;  ///< 156.25 MHz.

struct Options {
  TopKind top = TopKind::kRouter;
  int payload_bytes = kKarmaMaxPayload;  ///< 0 to kKarmaMaxPayload.
  /// 1 or 2. At a router and at a row of nodes the second one sends to the same consumer; at a link it sends in the
  /// opposite direction.
  int senders = 1;
  int hops = 0;             ///< Links of the path, with the row of nodes: 0 to kKarmaNodes - 1.
  uint32_t packets = 2000;  ///< By each sender, at least 2.
  /// Chance of a wrong bit on a link in 64 bits while bandwidth is measured, 0 to below 1.
  double error_rate = 0;
};

struct Result {
  /// Payload bits over what the narrowest part of the path can carry: 128 bit a cycle, or 64 where there is a link.
  double efficiency = 0;
  double payload_gbps = 0;
  /// Cycles from the first word of a lone packet sent to its last word taken, both included.
  uint32_t one_way_cycles = 0;
  /// From its first word sent to the last word of an answer of the same size taken.
  double round_trip_ns = 0;
  uint64_t packets = 0;  ///< That arrived while bandwidth was measured.
  uint64_t errors = 0;   ///< Packets that arrived damaged or out of order, or not at all.
  uint64_t cycles = 0;   ///< Simulated in all.
};

/// Runs the self-test. InvalidArgument if the options make no sense, with the reason; DeadlineExceeded if packets stop
/// arriving although no errors were asked for, which is a fault of the RTL.
absl::StatusOr<Result> run_karma(const Options& options);

}  // namespace fabrictwin::rtl::karma

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The timing of modelled ExaNeSt nodes: what can be fitted to RTL, by name.
#pragma once

#include <cstdint>
#include <span>

#include "absl/status/statusor.h"
#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"
#include "models/ni_timing.h"

namespace fabrictwin {

/// Clocks and latencies in it are not fitted: they are the experiment's. Plain numbers are cycles of the router clock.
struct NodeTiming {
  NiTiming ni;
  int32_t router_link = 0;      ///< What a link of a board takes longer than its latency if it begins at F1.
  int32_t switch_link = 0;      ///< The same if it begins at F2 to F4.
  int32_t network_link = 0;     ///< The same of a link between boards.
  int32_t router_port = 0;      ///< Between network interface and router of F1, each way.
  int32_t network_framing = 0;  ///< Share of a link between boards that framing takes, in thousandths of its words.
  /// From the last word of a packet in a router to the first of the next on the same input VC, cycles in which there
  /// could be others, in F1 and in F2 to F4: 2 if routing and allocation wait for the last word, 1 if only allocation
  /// does, 0 if neither.
  int32_t router_gap = 2;
  int32_t switch_gap = 2;
};

/// A whole number that a calibration can set: from `least` to `most`, or what it is without one.
struct NodeTimingParameter {
  const char* name;
  const char* unit;
  int32_t least;
  int32_t most;
  int32_t start;  ///< Where a search begins; need not be the value without a calibration.
  int32_t step;   ///< A change that shows in latencies.
  int32_t
      rtl;  ///< Of this project's RTL: measured, or as workloads/experiments/data/exanest-calibration.textproto says.
  bool measured;  ///< At pins of the RTL.
  int32_t& (*field)(NodeTiming& timing);
};

/// All of them. Those of the processor and of links come first: the others have been measured at pins of the RTL
/// (docs/models/exanet-ni-model.md), so where probes cannot tell parameters apart, those keep what was measured.
std::span<const NodeTimingParameter> node_timing_parameters();

/// The timing for an experiment, clocks and host latency apart. InvalidArgument, a diagnostic at the field
/// `calibration`, if there is no such parameter or a value is outside of its range.
absl::StatusOr<NodeTiming> node_timing(const Experiment& experiment);

/// The link between two modelled nodes that begins at port `port` of `logic`; at least a femtosecond long.
Link timed_link(const NodeTiming& timing, const Clock& router_clock, const Element& logic, int32_t port, Link link);

}  // namespace fabrictwin

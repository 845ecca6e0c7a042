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
  int32_t board_link = 0;       ///< What a link between FPGAs of a board takes longer than its latency.
  int32_t network_link = 0;     ///< The same of a link between boards.
  int32_t network_framing = 0;  ///< Share of a link between boards that framing takes, in thousandths of its words.
  int32_t board_buffer = 64;    ///< Words that may be under way on a VC of a link of a board, as a model counts them.
  int32_t network_buffer = 128;  ///< The same between boards.
};

/// A whole number that a calibration can set: from `least` to `most`, or what it is without one.
struct NodeTimingParameter {
  const char* name;
  const char* unit;
  int32_t least;
  int32_t most;
  int32_t start;  ///< Where a search begins; need not be the value without a calibration.
  int32_t& (*field)(NodeTiming& timing);
};

/// All of them. Those of the processor and of links come first: the others have been measured at pins of the RTL
/// (docs/models/exanet-ni-model.md), so where probes cannot tell parameters apart, those keep what was measured.
std::span<const NodeTimingParameter> node_timing_parameters();

/// The timing for an experiment, clocks and host latency apart. InvalidArgument, a diagnostic at the field `calibration`,
/// if there is no such parameter or a value is outside of its range.
absl::StatusOr<NodeTiming> node_timing(const Experiment& experiment);

/// The link between two modelled nodes that begins at port `port` of a node's logic.
Link timed_link(const NodeTiming& timing, const Clock& router_clock, int32_t port, Link link);

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The timing of modelled ExaNeSt nodes: the named parameters that can be fitted to RTL.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "models/nic/exanet/timing.h"

namespace fabrictwin::nic::exanet {

/// Clocks and latencies in it are not fitted: they come from the experiment. Plain numbers are cycles of the router
/// clock.
struct NodeTiming {
  Timing ni;
  int32_t router_link = 0;      ///< Cycles beyond its latency of a link of a board that begins at F1.
  int32_t switch_link = 0;      ///< Cycles beyond its latency of a link of a board that begins at F2 to F4.
  int32_t network_link = 0;     ///< Cycles beyond its latency of a link between boards.
  int32_t router_port = 0;      ///< Cycles between network interface and router of F1, in each direction.
  int32_t network_framing = 0;  ///< Share of a link between boards that framing takes, in thousandths of its words.
  /// Idle cycles on an input VC from the last word of a packet in a router to the first of the next, in F1 and in F2 to
  /// F4: 2 if routing and allocation wait for the last word, 1 if only allocation does, 0 if neither.
  int32_t router_gap = 2;
  int32_t switch_gap = 2;
  /// Cycles of the routing block of F1, beyond what the model of its router takes: for each router by which a packet
  /// comes or goes on a link between boards.
  int32_t routing_block = 0;
};

/// An integer that a calibration can set, from `least` to `most`. Without a calibration it keeps its default.
struct NodeTimingParameter {
  const char* name;
  const char* unit;
  int32_t least;
  int32_t most;
  int32_t start;  ///< Where a search begins; need not be the value without a calibration.
  int32_t step;   ///< A change that is visible in latencies.
  int32_t rtl;    ///< Value for this project's RTL: measured, or from
                  ///< workloads/experiments/data/exanest-calibration.textproto.
  bool measured;  ///< It was measured at pins of the RTL.
  int32_t& (*field)(NodeTiming& timing);
};

/// All parameters. Those of the processor and of links come first: the others have been measured at pins of the RTL
/// (docs/models/exanet-ni-model.md), so where probes cannot tell parameters apart, the measured ones keep their values.
std::span<const NodeTimingParameter> node_timing_parameters();

/// The timing for an experiment, except for clocks and host latency. InvalidArgument with a diagnostic at the field
/// `calibration` if there is no such parameter or a value is out of range.
absl::StatusOr<NodeTiming> node_timing(const experiment::Experiment& experiment);

/// The links of a machine of nodes by channel, as they are between models of two nodes: their latencies are at least a
/// femtosecond. Errors are those of node_timing().
absl::StatusOr<std::vector<system::Link>> modelled_links(const experiment::Experiment& experiment,
                                                         const system::SystemGraph& graph);

}  // namespace fabrictwin::nic::exanet

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a report says of flows beside each other: fair rates, convergence and marks without a reason.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fabrictwin/v1/report.pb.h"
#include "models/fabric/transport_hosts.h"
#include "models/router/packet/sharded/sharded_network.h"

namespace fabrictwin::partition::statistics {

/// Beyond so many flows, nothing is computed of them together.
inline constexpr int kMostFairFlows = 100'000;

/// The paths of the flows of a report, and the outputs on them. Outputs are numbered by element and port.
struct FlowPaths {
  std::vector<std::vector<uint32_t>> outputs;  ///< By flow: those that it goes by; none of a flow to its own source.
  std::string no_paths;                        ///< Why there are none, as one flow has several paths.
  std::vector<router::packet::sharded::ShardedNetwork::Output> all;  ///< By output.
};
/// The text for FlowPaths::no_paths.
std::string several_paths(int32_t source, int32_t destination);
/// In a network that is here as a whole. None of more than kMostFairFlows.
FlowPaths flow_paths(const router::packet::sharded::ShardedNetwork& network, std::span<const fabric::FlowSigns> signs,
                     const v1::Report& report);

/// Fills, for `flows` of a report, `marks`, `notices` and `max_min_gbps`; `min_over_max_min` and `convergence_seconds`
/// of `flow_summary`; and `false_marks` of `control`. `signs` are by flow; `payload_share` is the payload's of a full
/// packet with its header. Nothing without flows.
void measure_flows(const FlowPaths& paths, std::span<const fabric::FlowSigns> signs, double payload_share,
                   v1::Report& report);

/// From the last start or end of a flow until all flows that are active then stay within 10 % of their fair shares: of
/// their max-min fair rates, scaled to what they get together. Looks at the longest last time in which at least two
/// flows are active, of at least ten points of the series. Nullopt if there is none, if flows do not stay there for ten
/// points, and if the report has no series by flow or no max-min fair rates.
std::optional<double> convergence_seconds(const v1::Report& report);

}  // namespace fabrictwin::partition::statistics

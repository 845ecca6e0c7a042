// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a report says of flows beside each other: fair rates, convergence and marks without a reason.
#pragma once

#include <optional>
#include <span>

#include "fabrictwin/v1/report.pb.h"
#include "models/fabric/transport_hosts.h"
#include "models/router/packet/sharded_network.h"

namespace fabrictwin::partition {

/// Beyond so many flows, nothing is computed of them together.
inline constexpr int kMostFairFlows = 100'000;
/// An output with a larger mean load is congested.
inline constexpr double kCongestedLoad = 0.9;

/// Fills, for `flows` of a report, `marks`, `notices` and `max_min_gbps`; `min_over_max_min` and `convergence_seconds`
/// of `flow_summary`; and `false_marks` of `control`. `signs` are by flow, of a run that has come to `at`;
/// `payload_share` is the payload's of a full packet with its header. Nothing without flows.
void measure_flows(const router::packet::ShardedNetwork& network, std::span<const fabric::FlowSigns> signs,
                   double payload_share, Time at, v1::Report& report);

/// From the last start or end of a flow until all flows that are active then stay within 10 % of their fair shares: of
/// their max-min fair rates, scaled to what they get together. Looks at the longest last time in which at least two
/// flows are active, of at least ten points of the series. Nullopt if there is none, if flows do not stay there for ten
/// points, and if the report has no series by flow or no max-min fair rates.
std::optional<double> convergence_seconds(const v1::Report& report);

}  // namespace fabrictwin::partition

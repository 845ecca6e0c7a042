// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run tells of its flows while it goes on.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cosim/metric/sink.h"
#include "workloads/flows/process.h"

namespace fabrictwin::flows {

/// Gives what is known of flows to a sink: bytes that have arrived, and times and slowdowns of flows that are complete.
/// `here` says by host whether its process is in this one; each process of the operating system tells of the flows that
/// its hosts receive, and of the times that its hosts know. Takes time in proportion to the number of flows.
void measure_flows(const State& state, const std::vector<bool>& here, metric::Sink& sink);

/// Gives what has arrived of the flows of a job, by flow, as one series.
void measure_job(std::string_view name, std::span<const uint64_t> bytes, metric::Sink& sink);

}  // namespace fabrictwin::flows

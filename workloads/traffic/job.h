// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Traffic as one of several jobs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "cosim/experiment/check/file.h"
#include "cosim/experiment/check/message_reader.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "fabrictwin/v1/traffic.pb.h"
#include "workloads/traffic/spec.h"
#include "workloads/traffic/traffic_hosts.h"
#include "workloads/traffic/workload.h"

namespace fabrictwin::traffic {

/// Reads it. It goes on for a fixed time, which has to be written. Paths in the message are replaced by paths that can
/// be opened.
TrafficSpec check_job(v1::Traffic& message, const experiment::FileChecker& files,
                      const experiment::MessageReader& reader);

/// The checked values in words.
std::string text_of(const TrafficSpec& spec);

/// Makes it. Patterns see hosts by number, without a lattice or groups. InvalidArgument, as a diagnostic at the
/// pattern, if it needs those or more hosts.
absl::StatusOr<std::unique_ptr<Workload>> make_job(const TrafficSpec& spec, const experiment::Experiment& experiment,
                                                   const system::SystemGraph& graph, const TrafficHosts& hosts,
                                                   uint64_t seed);

}  // namespace fabrictwin::traffic

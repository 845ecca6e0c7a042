// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What several partitions have measured of congestion, as one report.
#pragma once

#include <google/protobuf/repeated_ptr_field.h>

#include "absl/status/status.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::partition::statistics {

/// Adds what CongestionReport::report() and report_flows() would say of a network in one partition to a report that has
/// the flows, the end of the run and whether it is complete. Nothing, if no part tells of congestion. DataLoss if a
/// part cannot be one of this run (check_congestion_part()).
absl::Status report_congestion(const experiment::Experiment& experiment, const system::SystemGraph& graph,
                               const google::protobuf::RepeatedPtrField<v1::WorkloadPart>& parts, v1::Report& report);

}  // namespace fabrictwin::partition::statistics

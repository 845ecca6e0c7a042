// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether what another place tells of congestion can be.
#pragma once

#include "absl/status/status.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "fabrictwin/v1/hosts_report.pb.h"

namespace fabrictwin::partition::statistics {

/// DataLoss unless a part is one of a run of `experiment` on `graph`: no number in it makes a merge overflow or take
/// long. What its numbers say is believed.
absl::Status check_congestion_part(const experiment::Experiment& experiment, const system::SystemGraph& graph,
                                   const v1::CongestionPart& part);

}  // namespace fabrictwin::partition::statistics

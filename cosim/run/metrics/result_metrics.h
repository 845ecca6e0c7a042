// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What is known only when a run has ended, as metrics of its last scrape.
#pragma once

#include "cosim/metric/sink.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::run::metrics {

/// Gives fairness of flows, marks without a reason, recovery from faults and impact factors of GPCNeT to a sink, as far
/// as the report of an ended run has them.
void measure_result(const v1::Report& report, metric::Sink& sink);

}  // namespace fabrictwin::run::metrics

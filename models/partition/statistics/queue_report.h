// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What reports, parts of reports and metrics tell of queues, whatever the model of the routers.
#pragma once

#include <cstdint>

#include "cosim/base/time.h"
#include "cosim/experiment/experiment.h"
#include "cosim/metric/sink.h"
#include "cosim/system/system_graph.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"
#include "models/kernel/queue_times.h"

namespace fabrictwin::partition::statistics {

/// Adds the bytes of the longest queue now, the most so far and the largest mean.
void measure_queues(int64_t now, const kernel::QueueSummary& queues, metric::Sink& sink);
/// Adds how many queues that are set aside are in use now.
void measure_set_aside(int64_t in_use, metric::Sink& sink);

/// Sets all but the ports.
void report_queues(const kernel::QueueSummary& queues, v1::QueuesReport& report);
/// Sets all of queues of inputs, whose numbers are those among the ports of all elements of `graph`, in a run that has
/// come to `at`.
void report_input_queues(const kernel::QueueTotals& totals, Time at, const system::SystemGraph& graph,
                         v1::QueuesReport& report);

/// Until when queues of a part of a network stay as they are, if nothing more happens there; the part has come to
/// `reached`, in a run whose parts end together or not. Zero where queues that a run leaves are empty.
Time queues_stand_until(const experiment::Experiment& experiment, Time reached, bool together);

/// Sets what totals() needs of a part of a network.
void report_queue_totals(const kernel::QueueTotals& totals, v1::QueuesPart& part);
/// The totals of a part that has been checked.
kernel::QueueTotals totals_of(const v1::QueuesPart& part);
/// Sets that of queues of inputs.
void report_input_queue_totals(const kernel::QueueTotals& totals, v1::QueuesPart& part);

}  // namespace fabrictwin::partition::statistics

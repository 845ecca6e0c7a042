// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What happened in a run over time, as a file for a trace viewer.
#pragma once

#include <string>

#include "cosim/observe/packet_trace.h"
#include "cosim/system/system_graph.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::report {

/// All that a report has over time, as TraceEventWriter writes it: a process whose tracks are ranks, with a slice for
/// each time in which they compute or are in a call of MPI; a process of counters (loads of links, queues, buffers,
/// goodput); a process whose tracks are partitions in wall-clock time, with a slice for
/// each time in which they are busy or wait for another one, or, if the report has no partition_timeline, the sums of
/// both one after the other; and the packets of `packets`, which may be null.
std::string run_trace_json(const v1::Report& report, const system::SystemGraph& graph,
                           const observe::PacketTrace* packets);

}  // namespace fabrictwin::report

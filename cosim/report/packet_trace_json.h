// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Packet traces as a file for a trace viewer.
#pragma once

#include <string>

#include "cosim/observe/packet_trace.h"
#include "cosim/report/trace_event_writer.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::report {

/// Adds the packets that have arrived: a process for each source, a track for each packet, and on it a slice for its
/// life with one for each wait and move inside. `args.fs` is the exact length of a slice.
void add_packets(const observe::PacketTrace& trace, const system::SystemGraph& graph, TraceEventWriter& writer);

/// A file with the packets that have arrived.
std::string packet_trace_json(const observe::PacketTrace& trace, const system::SystemGraph& graph);

}  // namespace fabrictwin::report

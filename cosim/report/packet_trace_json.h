// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Packet traces as a file for a trace viewer.
#pragma once

#include <string>

#include "cosim/observe/packet_trace.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::report {

/// The packets that have arrived, in the JSON form of the Trace Event Format, which ui.perfetto.dev opens: a process
/// for each source, a track for each packet, and on it a slice for its life with one for each wait and move inside.
/// Their times are microseconds; `args.fs` is the exact length of a slice.
std::string packet_trace_json(const observe::PacketTrace& trace, const system::SystemGraph& graph);

}  // namespace fabrictwin::report

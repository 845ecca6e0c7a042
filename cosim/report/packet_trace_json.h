// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The lives of packets as a file that people can look at.
#pragma once

#include <string>

#include "cosim/run/packet_trace.h"
#include "cosim/run/system_graph.h"

namespace fabrictwin {

/// The packets that have arrived, in the JSON form of the Trace Event Format, which ui.perfetto.dev opens: a process
/// for each source, a track for each packet, and on it a slice for its life with one for each wait and move inside.
/// Their times are microseconds; `args.fs` is the exact length of a slice.
std::string packet_trace_json(const PacketTrace& trace, const SystemGraph& graph);

}  // namespace fabrictwin

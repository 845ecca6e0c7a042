// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads packet traces as a viewer does, and checks them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fabrictwin {

/// A packet of a trace.
struct TracedLife {
  int64_t source = 0;
  int64_t destination = 0;
  int64_t number = 0;
  int64_t flits = 0;
  int64_t fs = 0;                  ///< Its latency.
  int64_t waits_fs = 0;            ///< Sum of its waits.
  int64_t moves_fs = 0;            ///< Sum of its moves.
  std::vector<std::string> names;  ///< Of its slices.
};

/// The packets of a trace in the JSON form of the Trace Event Format, in the order of the file. Adds to the failures of
/// the running test where slices do not nest, time goes back on a track, there are gaps in a life, or a length is not
/// that of its events.
std::vector<TracedLife> read_trace_events(const std::string& json);

}  // namespace fabrictwin

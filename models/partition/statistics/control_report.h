// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What is told of marks, acknowledgements and notices, whichever hosts send them.
#pragma once

#include "cosim/metric/sink.h"
#include "fabrictwin/v1/report.pb.h"
#include "models/host/control_counters.h"

namespace fabrictwin::partition::statistics {

/// Gives metrics of what hosts have sent by now to a sink.
void measure_control(const host::ControlCounters& all, metric::Sink& sink);
/// Fills the line of a report.
void report_control(const host::ControlCounters& all, v1::ControlReport& line);

}  // namespace fabrictwin::partition::statistics

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Goodputs in the window of simulated time that an experiment asks for.
#pragma once

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::run {

/// Sets `window_goodput_gbps` of each flow and class of traffic of a report that has a `goodput_window`, and what its
/// flows have in common. A flow is there in the window if it begins before its end and is not over before its
/// beginning.
void add_window_goodputs(v1::Report& report);

}  // namespace fabrictwin::run

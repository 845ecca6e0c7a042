// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How long goodput takes to come back after what has lowered it is over.
#pragma once

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::run {

/// Sets `goodput_recovery_seconds` of each fault that ends, and of each class of traffic that begins and stops during
/// the run, of a report with a series: the time from then until the end of the first interval after it in which goodput
/// is at least 95 % of what it was before; of a class that of all others. Before is the second half of the time until
/// the fault or the class began, so that rates have settled. Absent if nothing arrived then, or if goodput does not
/// come back.
void add_goodput_recoveries(v1::Report& report);

}  // namespace fabrictwin::run

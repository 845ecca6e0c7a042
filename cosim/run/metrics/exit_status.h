// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How a command has ended, as a metric.
#pragma once

#include "cosim/metric/sink.h"

namespace fabrictwin::run::metrics {

/// Gives the exit code of this process to a sink. Call it only once the code is known: while there is no such series,
/// the command goes on.
void measure_exit_status(int code, metric::Sink& sink);

}  // namespace fabrictwin::run::metrics

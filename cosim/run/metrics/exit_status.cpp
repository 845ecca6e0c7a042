// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/metrics/exit_status.h"

#include "cosim/metric/metric.h"

namespace fabrictwin::run::metrics {
namespace {

const metric::Gauge kExitStatus{{.name = "fabrictwin_exit_status",
                                 .help = "Exit code of the command, which has written its results; absent before",
                                 .order = 90,
                                 .in_report = false}};

}  // namespace

void measure_exit_status(int code, metric::Sink& sink) { sink.add(kExitStatus, code); }

}  // namespace fabrictwin::run::metrics

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a partition counts of itself, as metrics.
#pragma once

#include "cosim/metric/sink.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::run::metrics {

/// Gives what a partition has counted to a sink, wherever it runs.
void measure_partition(const v1::PartitionReport& partition, metric::Sink& sink);

}  // namespace fabrictwin::run::metrics

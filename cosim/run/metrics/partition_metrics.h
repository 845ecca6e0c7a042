// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What partitions count of themselves, as metrics.
#pragma once

#include <span>

#include "cosim/metric/sink.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::run::metrics {

/// Gives the sums over all partitions of a kind to a sink.
void measure_kinds(std::span<const v1::PartitionReport> partitions, metric::Sink& sink);

/// Gives what a partition has counted to a sink, wherever it runs.
void measure_partition(const v1::PartitionReport& partition, metric::Sink& sink);

}  // namespace fabrictwin::run::metrics

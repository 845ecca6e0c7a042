// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Which links a partition samples over simulated time.
#pragma once

#include "cosim/observe/link_series.h"
#include "cosim/run/registry.h"

namespace fabrictwin::partition {

/// The series of all links, if the experiment asks for it and this partition has all elements: nobody else could tell
/// what other partitions sent at a time. Otherwise one that never samples.
observe::LinkSeries link_series_of(const run::PartitionContext& context);

}  // namespace fabrictwin::partition

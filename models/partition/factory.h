// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the partition of a plan's models.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "cosim/engine/partition.h"
#include "cosim/run/registry.h"
#include "models/partition/model_partition.h"

namespace fabrictwin::partition {

/// The partition of the models of a place: a FabricPartition or a ModelPartition, depending
/// on the experiment's router model.
absl::StatusOr<std::unique_ptr<engine::Partition>> create_model_partition(const run::PartitionContext& context,
                                                                          const WorkloadFactory& make_workload);

}  // namespace fabrictwin::partition

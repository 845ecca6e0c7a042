// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// From a plan to the partition of its models.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "cosim/engine/partition.h"
#include "cosim/run/registry.h"
#include "models/model_partition.h"

namespace fabrictwin {

/// The partition of the models of a place: an IqPartition, a PacketPartition or a ModelPartition, as the experiment's
/// routers are.
absl::StatusOr<std::unique_ptr<Partition>> create_model_partition(const PartitionContext& context,
                                                                  const WorkloadFactory& make_workload);

}  // namespace fabrictwin

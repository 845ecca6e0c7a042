// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/factory.h"

#include "models/nanet/partition.h"
#include "models/partition/fabric_partition.h"

namespace fabrictwin::partition {

absl::StatusOr<std::unique_ptr<engine::Partition>> create_model_partition(const run::PartitionContext& context,
                                                                          const WorkloadFactory& make_workload) {
  if (context.plan->graph.has_card()) return nanet::Partition::create(context, make_workload);
  const v1::RouterModel depth = context.plan->partitions[static_cast<size_t>(context.partition)].depth;
  const bool words = context.experiment->capabilities.of(depth).content == link::LinkType::Content::kWords;
  if (words) return ModelPartition::create(context, make_workload);
  return FabricPartition::create(context, make_workload);
}

}  // namespace fabrictwin::partition

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/factory.h"

#include "models/partition/input_queued_partition.h"
#include "models/partition/packet_partition.h"

namespace fabrictwin::partition {

absl::StatusOr<std::unique_ptr<engine::Partition>> create_model_partition(const run::PartitionContext& context,
                                                                          const WorkloadFactory& make_workload) {
  if (context.experiment->router.model == v1::INPUT_QUEUED) return InputQueuedPartition::create(context, make_workload);
  if (context.experiment->router.model == v1::PACKET) return PacketPartition::create(context, make_workload);
  return ModelPartition::create(context, make_workload);
}

}  // namespace fabrictwin::partition

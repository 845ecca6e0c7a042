// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition_factory.h"

#include "models/iq_partition.h"
#include "models/packet/packet_partition.h"

namespace fabrictwin {

absl::StatusOr<std::unique_ptr<Partition>> create_model_partition(const PartitionContext& context,
                                                                  const WorkloadFactory& make_workload) {
  if (context.experiment->router.model == v1::INPUT_QUEUED) return IqPartition::create(context, make_workload);
  if (context.experiment->router.model == v1::PACKET) return PacketPartition::create(context, make_workload);
  return ModelPartition::create(context, make_workload);
}

}  // namespace fabrictwin

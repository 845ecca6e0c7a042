// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/nic_costs.h"

#include <any>

namespace fabrictwin::nic {

QueueNic::Costs nic_costs(const experiment::Experiment& experiment, Time pipeline) {
  return std::any_cast<const CostFunction&>(experiment.host.nic_spec)(experiment, pipeline);
}

}  // namespace fabrictwin::nic

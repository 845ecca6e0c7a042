// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The fields of v1::Host that are properties of the logic of ExaNeSt nodes: docs/models/exanest-node.md.
#pragma once

#include <vector>

#include "cosim/experiment/tenants.h"

namespace fabrictwin::topology::exanest {

/// See experiment::TopologyCheck. Thread-safe.
std::vector<experiment::HostField> host_fields();
void check_host(experiment::Experiment& experiment, experiment::FieldChecker& fields);

}  // namespace fabrictwin::topology::exanest

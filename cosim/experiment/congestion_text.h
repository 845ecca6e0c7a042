// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cosim/experiment/experiment.h"

namespace fabrictwin::experiment {

/// What manages congestion in an experiment, with the parameters that it gives:
/// "dcqcn { pmax: 0.2 }, pfc { }, queues { scheme: VOQNET }"; empty if nothing does.
std::string congestion_text(const Experiment& experiment);

}  // namespace fabrictwin::experiment

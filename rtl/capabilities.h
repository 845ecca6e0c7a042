// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the RTL can do in an experiment, and so can boards, which are made of it.
#pragma once

#include "cosim/experiment/capabilities.h"

namespace fabrictwin::rtl {

/// The limits of what is built of rtl/exanet and rtl/node, for the planner.
experiment::HardwareCapabilities capabilities();

}  // namespace fabrictwin::rtl

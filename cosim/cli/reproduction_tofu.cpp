// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The Tofu family: Puts from node to node.
#include "cosim/cli/reproduction.h"

namespace fabrictwin {

std::vector<Reproduction> tofu_reproductions() { return {}; }

}  // namespace fabrictwin

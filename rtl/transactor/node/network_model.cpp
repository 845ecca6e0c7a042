// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "VNetworkNode.h"
#include "VNetworkNode___024root.h"
#include "rtl/verilated_node.h"

namespace fabrictwin {

std::unique_ptr<NodeModel> make_network_node_model() { return std::make_unique<VerilatedNode<VNetworkNode>>(); }

}  // namespace fabrictwin

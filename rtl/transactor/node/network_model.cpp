// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "VNetworkNode.h"
#include "VNetworkNode___024root.h"
#include "VNetworkNode__clocks.h"
#include "rtl/transactor/node/verilated_node.h"

namespace fabrictwin::rtl::node {

std::unique_ptr<Model> make_network_node_model() {
  return std::make_unique<VerilatedNode<VNetworkNode, VNetworkNodeClocks>>();
}

}  // namespace fabrictwin::rtl::node

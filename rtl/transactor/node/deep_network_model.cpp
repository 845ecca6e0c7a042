// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "VDeepNetworkNode.h"
#include "VDeepNetworkNode___024root.h"
#include "VDeepNetworkNode__clocks.h"
#include "rtl/transactor/node/verilated_node.h"

namespace fabrictwin::rtl::node {

std::unique_ptr<Model> make_deep_network_node_model() {
  return std::make_unique<VerilatedNode<VDeepNetworkNode, VDeepNetworkNodeClocks>>();
}

}  // namespace fabrictwin::rtl::node

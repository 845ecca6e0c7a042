// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "VTwoLinkNode.h"
#include "VTwoLinkNode___024root.h"
#include "VTwoLinkNode__clocks.h"
#include "rtl/transactor/node/verilated_node.h"

namespace fabrictwin::rtl::node {

std::unique_ptr<Model> make_two_link_node_model() {
  return std::make_unique<VerilatedNode<VTwoLinkNode, VTwoLinkNodeClocks>>();
}

}  // namespace fabrictwin::rtl::node

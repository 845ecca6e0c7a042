// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "VPlainNode.h"
#include "VPlainNode___024root.h"
#include "VPlainNode__clocks.h"
#include "rtl/transactor/node/verilated_node.h"

namespace fabrictwin::rtl::node {

std::unique_ptr<Model> make_plain_node_model() {
  return std::make_unique<VerilatedNode<VPlainNode, VPlainNodeClocks>>();
}

}  // namespace fabrictwin::rtl::node

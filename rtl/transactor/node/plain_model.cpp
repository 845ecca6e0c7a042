// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "VPlainNode.h"
#include "VPlainNode___024root.h"
#include "rtl/verilated_node.h"

namespace fabrictwin {

std::unique_ptr<NodeModel> make_plain_node_model() { return std::make_unique<VerilatedNode<VPlainNode>>(); }

}  // namespace fabrictwin

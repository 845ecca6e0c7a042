// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "VPlainFpga.h"
#include "VPlainFpga___024root.h"
#include "rtl/verilated_node.h"

namespace fabrictwin {

std::unique_ptr<NodeModel> make_plain_node_model() { return std::make_unique<VerilatedNode<VPlainFpga>>(); }

}  // namespace fabrictwin

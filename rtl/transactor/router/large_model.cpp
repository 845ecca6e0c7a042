// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "VExanetLargeRouter.h"
#include "VExanetLargeRouter___024root.h"
#include "rtl/verilated_router.h"

namespace fabrictwin {

std::unique_ptr<LargeRouterModel> make_large_router_model() {
  return std::make_unique<VerilatedRouter<VExanetLargeRouter, kLargeRouterPorts>>();
}

}  // namespace fabrictwin

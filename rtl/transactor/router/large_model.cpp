// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "VExanetLargeRouter.h"
#include "VExanetLargeRouter___024root.h"
#include "rtl/transactor/router/verilated_router.h"

namespace fabrictwin::rtl::router {

std::unique_ptr<LargeModel> make_large_router_model() {
  return std::make_unique<VerilatedRouter<VExanetLargeRouter, kLargeRouterPorts>>();
}

}  // namespace fabrictwin::rtl::router

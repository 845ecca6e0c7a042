// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "VExanetWideRouter.h"
#include "VExanetWideRouter___024root.h"
#include "rtl/transactor/router/verilated_router.h"

namespace fabrictwin::rtl::router {

std::unique_ptr<WideModel> make_wide_router_model() {
  return std::make_unique<VerilatedRouter<VExanetWideRouter, kWideRouterPorts>>();
}

}  // namespace fabrictwin::rtl::router

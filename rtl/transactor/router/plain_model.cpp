// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "VExanetRouter.h"
#include "VExanetRouter___024root.h"
#include "rtl/transactor/router/verilated_router.h"

namespace fabrictwin::rtl::router {

std::unique_ptr<Model> make_router_model() { return std::make_unique<VerilatedRouter<VExanetRouter>>(); }

}  // namespace fabrictwin::rtl::router

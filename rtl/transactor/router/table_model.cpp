// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "VExanetTableRouter.h"
#include "VExanetTableRouter___024root.h"
#include "rtl/transactor/router/verilated_router.h"

namespace fabrictwin::rtl::router {

std::unique_ptr<Model> make_table_router_model() { return std::make_unique<VerilatedRouter<VExanetTableRouter>>(); }

}  // namespace fabrictwin::rtl::router

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "VExanetRouter.h"
#include "VExanetRouter___024root.h"
#include "rtl/verilated_router.h"

namespace fabrictwin {

std::unique_ptr<RouterModel> make_router_model() { return std::make_unique<VerilatedRouter<VExanetRouter>>(); }

}  // namespace fabrictwin

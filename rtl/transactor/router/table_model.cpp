// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "VExanetTableRouter.h"
#include "VExanetTableRouter___024root.h"
#include "rtl/verilated_router.h"

namespace fabrictwin {

std::unique_ptr<RouterModel> make_table_router_model() {
  return std::make_unique<VerilatedRouter<VExanetTableRouter>>();
}

}  // namespace fabrictwin

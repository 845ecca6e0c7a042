// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// torus64_top.sv without Verilator in sight.
#pragma once

#include <memory>

#include "rtl/transactor/router/model.h"

namespace fabrictwin::bench {

/// 64 routers in one Verilated top, already reset, router r as torus_identity(r).
class TorusTop {
 public:
  virtual ~TorusTop() = default;
  /// The pins of one router.
  virtual rtl::router::Pins pins(int router) = 0;
  /// A rising clock edge for all of them, in one evaluation or in two.
  virtual void edge() = 0;
  virtual void edge_in_two() = 0;
};

std::unique_ptr<TorusTop> make_torus_top();

}  // namespace fabrictwin::bench

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A clock edge of a Verilated model in one evaluation.
#pragma once

namespace fabrictwin::rtl {

/// Evaluates one rising edge of `clk_i` of a Verilated model that has no other clock, with all its input pins set.
///
/// Usually this takes two evaluations, one with the clock low and one with it high; the first only tells the model that
/// the clock fell, and costs a third of the time. Verilator 5.006 keeps the clock's value at the last evaluation in
/// `__Vtrigrprev__TOP__clk_i`; clearing that has the same effect. A model without latches, negative edges or
/// combinational paths from clock to outputs cannot tell the difference, and a test checks this. The member belongs to
/// that Verilator version, so the build pins it (scripts/cmake/toolchain.cmake). In a model with gated clocks
/// (rtl/lib/clock_gate.sv) these fall, too: before each edge the generated PREFIXClocks::lower() of its
/// PREFIX__clocks.h has to be called.
template <class Root>
inline void clear_previous_clock(Root& root) {
  root.__Vtrigrprev__TOP__clk_i = 0;
}

template <class Model>
inline void rising_edge(Model& model) {
  model.clk_i = 1;
  clear_previous_clock(*model.rootp);
  model.eval();
}

/// Evaluates one rising edge in the documented way, with two evaluations.
template <class Model>
inline void rising_edge_in_two(Model& model) {
  model.clk_i = 0;
  model.eval();
  model.clk_i = 1;
  model.eval();
}

}  // namespace fabrictwin::rtl

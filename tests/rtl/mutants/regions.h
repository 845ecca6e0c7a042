// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a mistake can be made in a SystemVerilog source that is chosen when a simulation runs: expressions of
// continuous assignments, conditions and port connections, and assignments in procedures.
#pragma once

#include <cstddef>
#include <vector>

#include "tests/rtl/mutants/tokens.h"

namespace fabrictwin::mutants {

struct Region {
  enum Kind {
    kAssign,      ///< Expression of a continuous assignment.
    kCondition,   ///< Expression of if.
    kSelector,    ///< Expression of case.
    kConnection,  ///< Expression at an input of an instance.
    kReturn,      ///< Expression that a function returns.
    kStatement,   ///< Assignment in a procedure, with its semicolon.
  };
  Kind kind;
  size_t first, last;     ///< Tokens of it; `last` is not one.
  size_t value;           ///< First token of the assigned expression; `first` for the other kinds.
  bool clocked = false;   ///< A statement of always_ff.
  bool in_reset = false;  ///< A statement that only a reset executes.

  size_t value_end() const { return kind == kStatement ? last - 1 : last; }
};

/// The regions in their order; none contains another one.
std::vector<Region> regions_of(const std::vector<Token>& tokens);

}  // namespace fabrictwin::mutants

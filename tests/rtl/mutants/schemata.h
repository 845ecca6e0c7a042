// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Many mistakes in one source, of which a number that is read when a simulation begins chooses one (Untch, Offutt and
// Harrold, "Mutation analysis using mutant schemata", ISSTA 1993): one Verilated model has all of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/rtl/mutants/mutation.h"

namespace fabrictwin::mutants {

/// Mistakes with their numbers, which are positive.
using Numbered = std::vector<std::pair<int, Mutation>>;

/// The source with these mistakes, each in effect where `mutation_pkg::active` is its number. Lines keep their numbers.
std::string instrument(const Source& source, const Numbered& mutations);

/// The package with `active`: what the C function `fabrictwin_mutant` returns.
std::string mutation_package();

}  // namespace fabrictwin::mutants

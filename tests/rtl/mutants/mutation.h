// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Mistakes in a SystemVerilog source.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tests/rtl/mutants/regions.h"

namespace fabrictwin::mutants {

/// A source and where mistakes can be made in it. The tokens point into the text, so it stays where it is.
struct Source {
  explicit Source(std::string_view text) : text(text), tokens(tokens_of(text)), regions(regions_of(tokens)) {}

  size_t begin(const Region& region) const { return tokens[region.first].begin; }
  size_t end(const Region& region) const { return tokens[region.last - 1].end(); }

  std::string_view text;
  std::vector<Token> tokens;
  std::vector<Region> regions;
};

/// One mistake: other text for one region.
struct Mutation {
  size_t region;
  int line;
  std::string kind;      ///< operator, constant, negation, stuck, drop, reset or row.
  std::string original;  ///< What is changed, in one line.
  std::string changed;   ///< What is there instead.
  std::string text;      ///< The region with the mistake, in one line.
};

/// All mistakes that can be made by rule, in the order of the source.
std::vector<Mutation> generate(const Source& source);

/// The mistake that writes `to` in place of `from`, which stands once in the source. Its region is `regions.size()` if
/// the change is not inside of one.
Mutation replace(const Source& source, std::string_view from, std::string_view to);

}  // namespace fabrictwin::mutants

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The words of a SystemVerilog source, as far as mutations need them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fabrictwin::mutants {

struct Token {
  enum Kind { kWord, kNumber, kString, kSymbol };
  Kind kind;
  std::string_view text;
  size_t begin;  ///< Offset in the source.
  int line;      ///< From 1.

  size_t end() const { return begin + text.size(); }
  bool is(std::string_view other) const { return kind != kString && text == other; }
};

/// The tokens of a source without comments and attributes, without what the preprocessor leaves out where no macro is
/// defined, and without what is not there in synthesis: assertions. They point into `source`.
std::vector<Token> tokens_of(std::string_view source);

/// Tokens as text in one line.
std::string joined(const std::vector<Token>& tokens, size_t first, size_t last);

}  // namespace fabrictwin::mutants

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Text that a user wrote (a file or an argument of the command line) and source locations in it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/experiment/experiment.h"

namespace fabrictwin::experiment {

/// A named text whose offsets map to source locations. Immutable.
class SourceText {
 public:
  /// `name` is the file's name or the option ("--set").
  SourceText(std::string name, std::string text);

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }

  /// The source location of byte `offset`; an offset past the end means the end.
  SourceLocation location(size_t offset) const;

  /// The offset of a line and column as protobuf counts them: both from 0, a tab moves to the next multiple of 8.
  size_t offset(int line, int column) const;

  /// The offset of the last byte that is not space; 0 if there is none.
  size_t last_byte() const;

  /// The offset of `word` where it last begins before `offset`, or `offset` if it does not occur.
  size_t last_before(size_t offset, std::string_view word) const;

  /// In protobuf text format, the offsets of the values of the field whose name begins at `offset`: one, or those of a
  /// list in brackets.
  std::vector<size_t> value_offsets(size_t offset) const;

 private:
  size_t skip_space(size_t at) const;
  size_t skip_value(size_t at) const;

  std::string name_;
  std::string text_;
  std::vector<size_t> line_starts_;
};

}  // namespace fabrictwin::experiment

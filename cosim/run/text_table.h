// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Plain text tables.
#pragma once

#include <string>
#include <vector>

namespace fabrictwin {

/// Rows of cells, aligned in columns: the first to the left, the others to the right, with two spaces between them.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) : rows_{std::move(header)} {}
  /// Adds a row, which has at most as many cells as the header.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// Aligns a column (from 0) to the left.
  void align_left(size_t column) { left_.push_back(column); }
  /// Each row on a line, `indent` spaces before it.
  std::string text(size_t indent = 2) const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<size_t> left_{0};
};

}  // namespace fabrictwin

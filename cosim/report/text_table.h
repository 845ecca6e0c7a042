// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Plain text tables.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fabrictwin::report {

/// A line "begin", filled with spaces up to `column`, and `text` behind it: where it would be wider than 80 columns, it
/// goes on in a further line, at the same column, between two words. Units stay with their number. Ends with a line
/// break.
std::string wrapped(std::string_view begin, size_t column, std::string_view text);
/// Such a line whose text has parts with commas between them, and which goes on in a further line only between parts.
std::string wrapped_list(std::string_view begin, size_t column, std::string_view text);

/// Rows of cells in columns with two spaces between them; the first column is aligned to the left, the others to the
/// right. If a table would be wider than 80 columns, its headers take several lines, then its texts do; if it is still
/// too wide, it is split into several tables. Only a word that is too long exceeds the width.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) : rows_{std::move(header)} {}
  /// Adds a row, which has at most as many cells as the header.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// Aligns a column (from 0) to the left.
  void align_left(size_t column) { left_.push_back(column); }
  /// The first `columns` columns name a row, and each table has them if the table is split. The default is one column.
  void set_keys(size_t columns) { keys_ = columns; }
  /// True if there are no rows.
  bool empty() const { return rows_.size() == 1; }
  /// The table as text, with `indent` spaces before each line. An empty table gives no text, not even a header.
  std::string text(size_t indent = 2) const;

 private:
  bool left(size_t column) const;
  /// The width that the longest cell of a column takes from row `first` on, without line breaks if `whole`.
  size_t width(size_t column, size_t first, bool whole) const;
  std::vector<size_t> fit(const std::vector<size_t>& columns, size_t limit) const;
  std::string block(const std::vector<size_t>& columns, size_t indent) const;

  std::vector<std::vector<std::string>> rows_;
  std::vector<size_t> left_{0};
  size_t keys_ = 1;
};

}  // namespace fabrictwin::report

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables in CSV files, whose mistakes are reported where they are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fabrictwin::flows {

/// The rows of a CSV file, without quotes, empty lines and lines that begin with "#". Cells have no blanks around them.
class CsvTable {
 public:
  struct Cell {
    std::string_view text;
    int32_t column = 0;  ///< From 1, in the line.
  };
  struct Row {
    int32_t line = 0;  ///< From 1.
    std::vector<Cell> cells;
  };

  /// NotFound if the file cannot be read; InvalidArgument if it has no rows, rows with different numbers of cells,
  /// quotes, or other separators than commas.
  /// `what` names what it should be: "the flow list".
  static absl::StatusOr<CsvTable> read(const std::string& file, std::string_view what);

  /// All rows; the first one has the names of the columns.
  const std::vector<Row>& rows() const { return rows_; }
  /// Whether the second row has units: what begins like a number in this column is a value, right or wrong.
  bool has_units(size_t cell) const;
  /// The bytes of a unit of sizes; an empty cell has bytes.
  absl::StatusOr<double> unit_of_bytes(const Row& row, size_t cell) const;
  /// What a diagnostic shows of a cell.
  static std::string_view shown(const Row& row, size_t cell) { return row.cells[cell].text.substr(0, 40); }
  /// An error at a cell, with its location in the file.
  absl::Status wrong(const Row& row, size_t cell, std::string_view message) const;

 private:
  std::string file_;
  std::vector<std::string> lines_;
  std::vector<Row> rows_;
};

}  // namespace fabrictwin::flows

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/flows/csv_table.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "cosim/base/quantity.h"
#include "cosim/base/text.h"
#include "cosim/experiment/source_location.h"
#include "fmt/format.h"

namespace fabrictwin::flows {
namespace {

/// The most bytes of a line that a diagnostic shows.
constexpr size_t kShownBytes = 200;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return text.substr(0, 0);
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

absl::StatusOr<CsvTable> CsvTable::read(const std::string& file, std::string_view what) {
  CsvTable table;
  table.file_ = file;
  std::ifstream stream(file);
  if (!stream)
    return absl::NotFoundError(fmt::format("{}: error: cannot open {}: {}", file, what, std::strerror(errno)));
  for (std::string line; std::getline(stream, line);) table.lines_.push_back(std::move(line));
  if (stream.bad())
    return absl::NotFoundError(fmt::format("{}: error: cannot read {}: {}", file, what, std::strerror(errno)));
  // Spreadsheets mark UTF-8.
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (!table.lines_.empty() && table.lines_.front().starts_with(kByteOrderMark))
    table.lines_.front().erase(0, kByteOrderMark.size());
  for (size_t number = 0; number < table.lines_.size(); ++number) {
    const std::string_view line = table.lines_[number];
    const std::string_view content = trimmed(line);
    if (content.empty() || content.front() == '#') continue;
    Row& row = table.rows_.emplace_back();
    row.line = static_cast<int32_t>(number) + 1;
    for (const std::string_view cell : split(line, ",")) {
      const std::string_view text = trimmed(cell);
      row.cells.push_back({text, static_cast<int32_t>(text.data() - line.data()) + 1});
    }
    for (size_t cell = 0; cell < row.cells.size(); ++cell) {
      if (row.cells[cell].text.find('"') != std::string_view::npos)
        return table.wrong(row, cell, "cells have no quotes; write what is between them");
    }
    if (table.rows_.size() == 1 && row.cells.size() == 1 &&
        row.cells[0].text.find_first_of("; \t") != std::string_view::npos)
      return table.wrong(row, 0, "cells are separated by commas; write them in all lines");
    if (const size_t columns = table.rows_.front().cells.size(); row.cells.size() != columns) {
      return table.wrong(row, row.cells.size() - 1,
                         fmt::format("this line has {} cells, and the first one {}; write as many, separated by commas",
                                     row.cells.size(), columns));
    }
  }
  if (table.rows_.empty()) {
    return absl::InvalidArgumentError(
        fmt::format("{}:1:1: error: {} is empty; write the names of its columns on the first line", file, what));
  }
  return table;
}

bool CsvTable::has_units(size_t cell) const {
  if (rows_.size() < 2) return false;
  const std::string_view text = rows_[1].cells[cell].text;
  return text.empty() || text.find_first_of("+-.0123456789") != 0;
}

absl::StatusOr<double> CsvTable::unit_of_bytes(const Row& row, size_t cell) const {
  const std::string_view unit = row.cells[cell].text;
  if (unit.empty() || unit == "B" || unit == "bytes") return 1;
  const absl::StatusOr<Bytes> one = parse_bytes(fmt::format("1{}", unit));
  if (!one.ok())
    return wrong(row, cell, fmt::format("\"{}\" is no unit of size; write B, kB, MB, KiB or MiB", shown(row, cell)));
  return static_cast<double>(one->count);
}

absl::Status CsvTable::wrong(const Row& row, size_t cell, std::string_view message) const {
  experiment::SourceLocation location;
  location.file = file_;
  location.line = row.line;
  location.column = row.cells[cell].column;
  location.line_text = lines_[static_cast<size_t>(row.line) - 1].substr(0, kShownBytes);
  return absl::InvalidArgumentError(experiment::format_diagnostic(location, message));
}

}  // namespace fabrictwin::flows

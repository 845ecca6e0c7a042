// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A table of a document whose rows are written by hand and whose numbers come from a history.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "dashboards/history/database.h"
#include "dashboards/history/formats/export.h"

namespace fabrictwin::dashboards::history::formats {

/// What a row shows: the median of a metric, or the ratio of the medians of two.
struct RowValue {
  std::string metric;
  std::string over;    ///< The metric of the denominator; empty for a plain value.
  int32_t column = 0;  ///< Where it stands in its line, from 1.
};

/// A line of a file of rows: `WHAT | VALUE [/ VALUE]... | GOAL | NAME`, where VALUE is METRIC or `METRIC over METRIC`.
struct TableRow {
  std::string what;
  std::vector<RowValue> values;
  std::string goal;  ///< May be "-".
  std::string name;  ///< What the results are called: the command that was measured.
  std::string line;
  int32_t number = 0;  ///< The number of the line, from 1.
};

/// The rows of a file: lines that are empty or begin with # are skipped. What is wrong is InvalidArgument with file,
/// line and column.
absl::StatusOr<std::vector<TableRow>> table_rows(std::string_view text, const std::string& file);

/// The table with the numbers that the newest commit of each name has, then when, where and how often they were
/// measured. A row without results says "not measured"; one whose results lack its metric is InvalidArgument with file,
/// line and column. `what` and `goal` are Markdown already.
absl::Status export_table(const Database& database, std::span<const ResultKey> results, std::span<const TableRow> rows,
                          const std::string& file, Write write);

}  // namespace fabrictwin::dashboards::history::formats

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/control/register_row.h"

#include "absl/status/status.h"

namespace fabrictwin::rtl::control {

absl::StatusOr<std::vector<std::string>> split_row(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;  // Inside quotes.
  bool closed = false;  // The cell's quotes are behind.
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted) {
      if (c != '"') {
        cells.back() += c;
      } else if (i + 1 < line.size() && line[i + 1] == '"') {
        cells.back() += c;
        ++i;
      } else {
        quoted = false;
        closed = true;
      }
    } else if (c == ',') {
      cells.emplace_back();
      closed = false;
    } else if (closed) {
      return absl::InvalidArgumentError("something follows a closing quote");
    } else if (c == '"' && cells.back().empty()) {
      quoted = true;
    } else {
      cells.back() += c;
    }
  }
  if (quoted) return absl::InvalidArgumentError("a quote is not closed");
  return cells;
}

}  // namespace fabrictwin::rtl::control

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/formats/markdown.h"

#include <fmt/format.h>

#include <cmath>

#include "dashboards/statistics/quantiles.h"

namespace fabrictwin::dashboards::history::formats {

std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    constexpr std::string_view kMarkup = "\\|<>&*_[]`";
    if (kMarkup.find(c) != std::string_view::npos) cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

std::string spread_text(const std::vector<double>& values) {
  const double median = values.empty() ? 0 : statistics::median(values);
  if (values.size() < 2 || median == 0) return "";
  return fmt::format("{:.1f} %", 100 * statistics::robust_deviation(values) / std::abs(median));
}

}  // namespace fabrictwin::dashboards::history::formats

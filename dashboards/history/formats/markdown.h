// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fabrictwin::dashboards::history::formats {

/// A text as the cell of a table in Markdown: no character ends the cell or begins markup.
std::string markdown_cell(std::string_view text);

/// The robust standard deviation of values as a share of their median, as in "2.5 %"; empty for a single value, and
/// where the median is 0.
std::string spread_text(const std::vector<double>& values);

}  // namespace fabrictwin::dashboards::history::formats

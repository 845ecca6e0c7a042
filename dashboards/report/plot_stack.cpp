// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/report/plot_stack.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace fabrictwin::dashboards::report {

absl::StatusOr<std::string> stack_plots(const std::vector<LinePlot>& plots) {
  static constexpr std::string_view kTag = "<svg ";
  std::string inside;
  double width = 0;
  double height = 0;
  for (const LinePlot& plot : plots) {
    const absl::StatusOr<std::string> svg = plot.svg();
    if (!svg.ok()) return svg.status();
    inside += fmt::format("{}y=\"{:.0f}\" {}", kTag, height, std::string_view(*svg).substr(kTag.size()));
    width = std::max(width, plot.width());
    height += plot.height();
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "role=\"img\">\n{2}</svg>\n",
      width, height, inside);
}

}  // namespace fabrictwin::dashboards::report

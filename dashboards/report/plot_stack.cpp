// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/report/plot_stack.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace fabrictwin::dashboards::report {

std::string stack_pictures(const std::vector<Picture>& pictures) {
  static constexpr std::string_view kTag = "<svg ";
  std::string inside;
  double width = 0;
  double height = 0;
  for (const Picture& picture : pictures) {
    inside += fmt::format("{}y=\"{:.0f}\" {}", kTag, height, std::string_view(picture.svg).substr(kTag.size()));
    width = std::max(width, picture.width);
    height += picture.height;
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "role=\"img\">\n{2}</svg>\n",
      width, height, inside);
}

absl::StatusOr<Picture> picture_of(const LinePlot& plot) {
  absl::StatusOr<std::string> svg = plot.svg();
  if (!svg.ok()) return svg.status();
  return Picture{*std::move(svg), plot.width(), plot.height()};
}

absl::StatusOr<std::string> stack_plots(const std::vector<LinePlot>& plots) {
  std::vector<Picture> pictures;
  for (const LinePlot& plot : plots) {
    absl::StatusOr<Picture> picture = picture_of(plot);
    if (!picture.ok()) return picture.status();
    pictures.push_back(*std::move(picture));
  }
  return stack_pictures(pictures);
}

}  // namespace fabrictwin::dashboards::report

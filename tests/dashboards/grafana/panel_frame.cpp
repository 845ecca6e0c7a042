// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/dashboards/grafana/panel_frame.h"

#include <fmt/format.h>

#include <algorithm>

#include "cosim/base/text.h"
#include "dashboards/report/svg.h"
#include "dashboards/top/printable.h"

namespace fabrictwin::test {
namespace {

constexpr double kPadding = 10;
constexpr double kSmallCharacter = 6.5;  ///< The width of a character of 11 px in a wide font, DejaVu Sans.
constexpr double kTitleCharacter = 8.2, kSmallTitleCharacter = 6.8;  ///< Of titles, which are bold.
constexpr double kTitleLine = 21, kDescriptionLine = 14;

/// The lines of a description: two at most, the second one of which loses its middle if it is too long.
std::vector<std::string> described(const std::string& text, size_t most) {
  std::vector<std::string> lines = wrapped(text, most);
  for (size_t i = 2; i < lines.size(); ++i) lines[1] += fmt::format(" {}", lines[i]);
  lines.resize(std::min<size_t>(lines.size(), 2));
  for (std::string& line : lines) line = dashboards::top::shortened(line, most);
  return lines;
}

}  // namespace

std::vector<std::string> wrapped(const std::string& text, size_t most) {
  std::vector<std::string> lines;
  if (text.empty()) return lines;
  for (const std::string_view word : split(text, " ")) {
    if (lines.empty() || lines.back().size() + 1 + word.size() > most) {
      lines.emplace_back(word);
    } else {
      lines.back() += fmt::format(" {}", word);
    }
  }
  return lines;
}

double width_of(std::string_view text) { return kSmallCharacter * static_cast<double>(text.size()); }

std::string panel_styles() {
  // The colours are those of dashboards/report in the light; lighter ones of the same hue in the dark.
  return "svg{font-family:sans-serif;font-size:11px}"
         ".back{fill:#f4f5f7}.panel{fill:#fff;stroke:#d0d4d9}.grid{stroke:#e3e6ea}.frame{stroke:#8a9097}"
         ".t{fill:#1a1a1a}.f{fill:#5f6368}.b{font-weight:bold;font-size:12.5px}.s{font-weight:bold;font-size:10.5px}.h{"
         "font-weight:bold;font-size:18px}"
         ".v{font-weight:bold;font-size:24px}.l{fill:none;stroke:currentColor;stroke-width:1.6}"
         ".d{fill:currentColor}.even{fill:#f4f5f7}"
         ".c0{color:#0072b2}.c1{color:#d55e00}.c2{color:#009e73}.c3{color:#cc79a7}.c4{color:#000}"
         ".c5{color:#56b4e9}.c6{color:#e69f00}"
         ".blue{fill:#0072b2}.green{fill:#00795a}.red{fill:#c0392b}.orange{fill:#b85000}"
         "@media (prefers-color-scheme:dark){"
         ".back{fill:#101214}.panel{fill:#16181b;stroke:#3a3f45}.grid{stroke:#2b2f34}.frame{stroke:#7a8087}"
         ".t{fill:#e8e8e8}.f{fill:#a4aab2}.even{fill:#1e2125}"
         ".c0{color:#3d9fe0}.c1{color:#ff8a3d}.c2{color:#2cc79b}.c3{color:#e39cc4}.c4{color:#fff}"
         ".c5{color:#9bd4f5}.c6{color:#ffc24d}"
         ".blue{fill:#56b4e9}.green{fill:#2cc79b}.red{fill:#ff7b6b}.orange{fill:#ff9f5a}}";
}

std::string panel_label(double x, double y, std::string_view style, std::string_view text, std::string_view anchor) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", style, x, y,
                     anchor == "start" ? "" : fmt::format(" text-anchor=\"{}\"", anchor),
                     dashboards::report::xml_text(dashboards::top::printable(text)));
}

size_t characters_in(double width) { return static_cast<size_t>(std::max(0.0, width / kSmallCharacter)); }

FramedPanel panel_frame(const PanelBox& box, const PanelText& text, std::string_view shown_unit) {
  FramedPanel framed;
  framed.svg =
      fmt::format("<rect class=\"panel\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"3\"/>\n",
                  box.x, box.y, box.width, box.height);
  const double left = box.x + kPadding;
  double y = box.y + kTitleLine;
  const double room = box.width - 2 * kPadding;
  const std::string unit = shown_unit.empty() ? "" : fmt::format("  ({})", dashboards::top::printable(shown_unit));
  const double title_room = room - kSmallCharacter * static_cast<double>(unit.size());
  // A title that is too long gets smaller letters, then it loses its middle.
  const bool large = kTitleCharacter * static_cast<double>(text.title.size()) <= title_room;
  const std::string title =
      dashboards::top::shortened(text.title, static_cast<size_t>(std::max(0.0, title_room) / kSmallTitleCharacter));
  framed.svg += fmt::format(
      "<text class=\"t {}\" x=\"{:.1f}\" y=\"{:.1f}\">{}<tspan class=\"f\" font-weight=\"normal\">{}</tspan></text>\n",
      large ? "b" : "s", left, y - 3, dashboards::report::xml_text(title), dashboards::report::xml_text(unit));
  for (const std::string& line : described(text.description, characters_in(room))) {
    y += kDescriptionLine;
    framed.svg += panel_label(left, y - 4, "f", line);
  }
  framed.inside = {left, y + 4, room, box.y + box.height - y - 4 - kPadding};
  return framed;
}

std::string no_data(const PanelBox& inside) {
  return panel_label(inside.x + inside.width / 2, inside.y + inside.height / 2 + 4, "f", "no data", "middle");
}

}  // namespace fabrictwin::test

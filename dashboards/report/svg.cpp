// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/report/svg.h"

#include <fmt/format.h>

#include <algorithm>

#include "absl/strings/str_replace.h"
#include "cosim/base/text.h"

namespace fabrictwin::dashboards::report {

std::string xml_text(std::string_view text) {
  return absl::StrReplaceAll(absl::string_view(text.data(), text.size()),
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&apos;"}});
}

absl::Status check_xml_text(std::string_view what, std::string_view text) {
  if (!is_utf8(text)) return absl::InvalidArgumentError(fmt::format("the {} of the plot is not UTF-8", what));
  // XML cannot represent most control characters, not even escaped.
  if (std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
    return absl::InvalidArgumentError(fmt::format("the {} of the plot has control characters", what));
  return absl::OkStatus();
}

std::string svg_head(double width, double height, std::string_view title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n<title>{2}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      width, height, xml_text(title));
}

}  // namespace fabrictwin::dashboards::report

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What pictures have in common.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fabrictwin::dashboards::report {

/// A picture as an XML document, with its size.
struct Picture {
  std::string svg;
  double width = 0;
  double height = 0;
};

/// Okabe and Ito's colours, which most people can tell apart; without the yellow, which is too light for lines.
inline constexpr std::array<std::string_view, 7> kPlotColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                                 "#000000", "#56b4e9", "#e69f00"};

/// Text as XML has it.
std::string xml_text(std::string_view text);
/// InvalidArgument if a text is not UTF-8 or has control characters, which XML cannot represent; `what` names it.
absl::Status check_xml_text(std::string_view what, std::string_view text);
/// The beginning of a picture with a title.
std::string svg_head(double width, double height, std::string_view title);

}  // namespace fabrictwin::dashboards::report

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What all kinds of panels have: the frame with title and description.
#pragma once

#include <string>
#include <string_view>

#include "tests/dashboards/grafana/panel_drawing.h"

namespace fabrictwin::test {

/// The room that the frame of a panel leaves for its contents.
struct FramedPanel {
  std::string svg;  ///< The frame and its texts.
  PanelBox inside;
};

/// The frame of a panel. `shown_unit` stands behind the title.
FramedPanel panel_frame(const PanelBox& box, const PanelText& text, std::string_view shown_unit = {});
/// What a panel without values shows.
std::string no_data(const PanelBox& inside);

}  // namespace fabrictwin::test

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The view of a run as text and as JSON.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dashboards/top/run_view.h"

namespace fabrictwin::dashboards::top {

/// The view in 80 columns, from what is run to the process; of long lists the first entries. Texts of the endpoint
/// are made printable. `url` says where it comes from.
std::string view_text(const RunView& view, std::string_view url);

/// The view as a JSON object on several lines. Values that are not known are left out.
std::string view_json(const RunView& view, std::string_view url);

/// What a terminal of so many rows and columns is sent to show the text instead of what it showed before, from its
/// upper left corner. What does not fit is cut.
std::string screen_text(std::string_view text, size_t rows, size_t columns);

}  // namespace fabrictwin::dashboards::top

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Texts of other processes on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fabrictwin::dashboards::top {

/// The text with a question mark for each byte that is not UTF-8 and each character that a terminal may obey instead of
/// showing it: control characters, and those that change the direction of writing or have no width.
std::string printable(std::string_view text);

/// The printable text with at most `width` characters (at least 8); a longer one loses its middle:
/// "router[0]..ter[7].x".
std::string shortened(std::string_view text, size_t width);

/// The first `width` characters of the printable text.
std::string beginning(std::string_view text, size_t width);

}  // namespace fabrictwin::dashboards::top

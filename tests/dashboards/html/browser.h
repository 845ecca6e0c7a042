// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Pages in a real browser: headless Chromium runs their scripts and prints the document that they have made. A script
// that is added to a page looks at pixels, and moves the pointer.
#pragma once

#include <string>

#include "tests/test_folder.h"

namespace fabrictwin::test {

/// The document that the browser makes of a page that is this wide, in a light or a dark theme, with attributes that
/// say what a reader would see: "errors" that the page tells; what came to the "console" since the page began, and what
/// of it, or from the browser itself, is "logged"; "charts" and how many of them are "drawn", "images", "maps",
/// "matrices" and "timelines" and how many of them "images-drawn" and so on; "rows" of tables; "overflow"; whether the
/// theme is "dark", the colour of the "back" and the least "contrast" of text; how many elements are "focusable",
/// "unfocusable", "out-of-order", "unnamed", and "dead-links"; of the first chart the "tooltip" of x at its middle, and
/// the first three "values" of x in its table; "probed" when all was looked at.
std::string document(const TestFolder& folder, const std::string& html, int width, bool dark = false);

/// An attribute of such a document; "absent" if it has none of that name.
std::string attribute(const std::string& document, const std::string& name);

}  // namespace fabrictwin::test

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Pages in a real browser: headless Chromium runs their scripts and prints the document that they have made. A script
// that is added to a page looks at pixels, and moves the pointer.
#pragma once

#include <string>

#include "tests/test_folder.h"

namespace fabrictwin::test {

/// The document that the browser makes of a page that is this wide, with attributes that say what a reader would see:
/// "errors" and "console" of scripts, "charts" and how many of them are "drawn", "overflow"; "probed" when all was
/// looked at.
std::string document(const TestFolder& folder, const std::string& html, int width);

/// An attribute of such a document; "absent" if it has none of that name.
std::string attribute(const std::string& document, const std::string& name);

}  // namespace fabrictwin::test

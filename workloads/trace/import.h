// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// All importers by the names of their formats.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace fabrictwin {

/// "ti", "goal", "otf2", "dumpi".
std::vector<std::string> import_formats();

/// Converts the trace `path` of that format into the trace file `out`. InvalidArgument if there is no such format; else
/// what the importer says.
absl::Status import_trace(std::string_view format, const std::string& path, const std::string& out);

/// The format of a trace by what its name and its folder look like; "fttrace" if it is none of those above.
std::string format_of_trace(const std::string& path);

}  // namespace fabrictwin

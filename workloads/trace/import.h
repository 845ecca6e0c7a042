// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// All importers by the names of their formats.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace fabrictwin::trace {

/// The names of the formats: "ti", "goal", "otf2", "dumpi".
std::vector<std::string> import_formats();

/// Converts the trace `path` of that format into the trace file `out`. InvalidArgument if there is no such format;
/// other errors are those of the importer.
absl::Status import_trace(std::string_view format, const std::string& path, const std::string& out);

/// The format of a trace judged by its name and folder; "fttrace" if it is none of import_formats().
std::string format_of_trace(const std::string& path);

}  // namespace fabrictwin::trace

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions that importers of text share.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace fabrictwin::trace::format {

/// Opens a file for reading. NotFound with its name if that fails.
absl::StatusOr<std::ifstream> open_text(const std::filesystem::path& path);

/// The beginning of a line without control characters, for quoting in a diagnostic.
std::string quotable(std::string_view line);

/// InvalidArgument "FILE:LINE:COLUMN: error: MESSAGE" with the line quoted.
absl::Status text_error(const std::string& file, int32_t line, int32_t column, std::string_view line_text,
                        const std::string& message);

}  // namespace fabrictwin::trace::format

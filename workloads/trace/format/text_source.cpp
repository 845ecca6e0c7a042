// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/format/text_source.h"

#include <cerrno>
#include <cstring>

#include "cosim/experiment/experiment.h"
#include "fmt/format.h"

namespace fabrictwin::trace::format {

namespace fs = std::filesystem;

absl::StatusOr<std::ifstream> open_text(const fs::path& path) {
  std::error_code code;
  if (fs::is_directory(path, code))
    return absl::NotFoundError(fmt::format("{}: is a folder, not a file", path.string()));
  std::ifstream file(path);
  if (!file) return absl::NotFoundError(fmt::format("{}: cannot be opened: {}", path.string(), std::strerror(errno)));
  return file;
}

std::string quotable(std::string_view line) {
  constexpr size_t kQuotedBytes = 160;
  std::string text(line.substr(0, kQuotedBytes));
  for (char& letter : text) {
    if (letter < 0x20 || letter > 0x7e) letter = letter == '\t' ? ' ' : '?';
  }
  return text;
}

absl::Status text_error(const std::string& file, int32_t line, int32_t column, std::string_view line_text,
                        const std::string& message) {
  const experiment::SourceLocation location{
      .file = file, .line_text = quotable(line_text), .line = line, .column = column};
  return absl::InvalidArgumentError(experiment::format_diagnostic(location, message));
}

}  // namespace fabrictwin::trace::format

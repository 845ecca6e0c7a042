// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/output_file.h"

#include <filesystem>
#include <system_error>

#include "fmt/format.h"

namespace fabrictwin {

absl::StatusOr<std::string> replaceable_file(const std::string& path) {
  std::error_code error;
  std::string file = path;
  if (std::filesystem::is_symlink(path, error)) {
    file = std::filesystem::canonical(path, error).string();
    if (error) {
      return absl::InvalidArgumentError(
          fmt::format("{}: is a link that leads to no file ({}); name another file", path, error.message()));
    }
  }
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return file;
  const char* const what = std::filesystem::is_directory(status) ? "a folder" : "a device or a pipe";
  return absl::InvalidArgumentError(
      fmt::format("{}: is {}, which a file cannot take the place of; name another file", path, what));
}

}  // namespace fabrictwin

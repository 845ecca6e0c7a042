// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/output_file.h"

#include <filesystem>
#include <system_error>

#include "fmt/format.h"

namespace fabrictwin {

absl::Status check_replaceable(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return absl::OkStatus();
  const char* const what = std::filesystem::is_directory(status) ? "a folder" : "a device or a pipe";
  return absl::InvalidArgumentError(
      fmt::format("{}: is {}, which a file cannot take the place of; name another file", path, what));
}

}  // namespace fabrictwin

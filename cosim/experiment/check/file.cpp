// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

namespace fabrictwin::experiment {

std::string FileChecker::find(std::string_view field, const std::string& path, std::string_view kind,
                              std::string_view remedy) const {
  namespace fs = std::filesystem;
  if (path.find('\0') != std::string::npos) {
    fields_.complain(field, "the path has a zero byte in it, which no file name can have");
    return path;
  }
  std::error_code error;
  const fs::path beside = fs::path(experiment_).parent_path() / path;
  fs::path found = beside;
  if (fields_.locations().overridden(std::string(field)) && fs::exists(path, error)) found = path;
  const fs::path absolute = fs::absolute(found, error);
  if (!error) found = absolute.lexically_normal();
  if (!look_) return found.string();
  if (!fs::exists(found, error)) {
    fields_.complain(field, fmt::format("there is no file {}; {}", found.string(), remedy));
  } else if (!fs::is_regular_file(found, error)) {
    fields_.complain(field, fmt::format("{} is not a file; name {}", found.string(), kind));
  } else if (access(found.c_str(), R_OK) != 0) {
    fields_.complain(field, fmt::format("{} cannot be read; check its permissions", found.string()));
  }
  return found.string();
}

}  // namespace fabrictwin::experiment

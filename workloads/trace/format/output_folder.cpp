// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/format/output_folder.h"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::trace::format {

namespace fs = std::filesystem;

OutputFolder::OutputFolder(fs::path path) : path_(std::move(path)), part_path_(path_) {
  // "out/" and "out" name the same folder.
  if (!path_.has_filename()) part_path_ = path_ = path_.parent_path();
  part_path_ += ".part";
}

OutputFolder::~OutputFolder() {
  if (finished_) return;
  file_.close();
  std::error_code code;
  fs::remove_all(part_path_, code);
}

absl::StatusOr<std::unique_ptr<OutputFolder>> OutputFolder::create(const std::string& path) {
  std::unique_ptr<OutputFolder> folder(new OutputFolder(fs::path(path)));
  std::error_code code;
  const bool exists = fs::exists(folder->path_, code);
  if (exists && !(fs::is_directory(folder->path_, code) && fs::is_empty(folder->path_, code))) {
    folder->finished_ = true;
    return absl::FailedPreconditionError(
        fmt::format("{}: is there already, and not an empty folder; name another one", path));
  }
  fs::remove_all(folder->part_path_, code);
  if (!fs::create_directories(folder->part_path_, code))
    return absl::FailedPreconditionError(fmt::format("{}: cannot be made: {}", path, code.message()));
  return folder;
}

absl::Status OutputFolder::error(const fs::path& path) const {
  return absl::FailedPreconditionError(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
}

absl::Status OutputFolder::end_file() {
  if (!file_.is_open()) return absl::OkStatus();
  file_.close();
  return file_.fail() ? error(file_path_) : absl::OkStatus();
}

absl::Status OutputFolder::begin_file(const std::string& name) {
  if (absl::Status status = end_file(); !status.ok()) return status;
  file_path_ = part_path_ / name;
  file_.open(file_path_, std::ios::binary | std::ios::trunc);
  return file_ ? absl::OkStatus() : error(file_path_);
}

absl::Status OutputFolder::write(std::string_view text) {
  file_.write(text.data(), static_cast<std::streamsize>(text.size()));
  return file_ ? absl::OkStatus() : error(file_path_);
}

absl::Status OutputFolder::finish() {
  if (absl::Status status = end_file(); !status.ok()) return status;
  std::error_code code;
  fs::remove(path_, code);  // This removes an empty folder.
  fs::rename(part_path_, path_, code);
  if (code) return absl::FailedPreconditionError(fmt::format("{}: cannot be made: {}", path_.string(), code.message()));
  finished_ = true;
  return absl::OkStatus();
}

}  // namespace fabrictwin::trace::format

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

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
      fmt::format("{}: is {}, which a file cannot replace; name another file", path, what));
}

absl::StatusOr<OutputFile> OutputFile::create(const std::string& path) {
  absl::StatusOr<std::string> target = replaceable_file(path);
  if (!target.ok()) return target.status();
  OutputFile file(path, *std::move(target));
  file.stream_.reset(std::fopen(file.temporary_.c_str(), "wb"));
  if (file.stream_ != nullptr) return file;
  return file.error("create");
}

OutputFile::OutputFile(std::string path, std::string target)
    : path_(std::move(path)), target_(std::move(target)), temporary_(fmt::format("{}.{}.tmp", target_, getpid())) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      stream_(std::move(other.stream_)) {}

OutputFile::~OutputFile() {
  stream_.reset();
  std::error_code ignored;
  if (!temporary_.empty()) std::filesystem::remove(temporary_, ignored);
}

absl::Status OutputFile::error(const char* what) const {
  return absl::UnavailableError(fmt::format("cannot {} {}: {}", what, path_, std::strerror(errno)));
}

absl::Status OutputFile::write(std::string_view bytes) {
  return std::fwrite(bytes.data(), 1, bytes.size(), stream_.get()) == bytes.size() ? absl::OkStatus() : error("write");
}

absl::Status OutputFile::commit() {
  // Closing writes what is still in memory.
  if (std::fclose(stream_.release()) != 0) return error("write");
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) return error("create");
  temporary_.clear();
  return absl::OkStatus();
}

}  // namespace fabrictwin

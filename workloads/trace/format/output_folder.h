// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A folder of files that appears whole or not at all.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fabrictwin {

/// Files are written beside the folder's final place, which it takes when finish() succeeds. Without it, nothing is
/// left. Not thread-safe.
class OutputFolder {
 public:
  /// Begins the folder `path`. FailedPrecondition if there is something other than an empty folder, or if nothing can
  /// be written there.
  static absl::StatusOr<std::unique_ptr<OutputFolder>> create(const std::string& path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Ends the file before, and begins the file `name`.
  absl::Status begin_file(const std::string& name);
  /// Adds to the file.
  absl::Status write(std::string_view text);
  /// Ends the last file, and gives the folder its name. Nothing may be called after it.
  absl::Status finish();

 private:
  explicit OutputFolder(std::filesystem::path path);
  absl::Status end_file();
  absl::Status error(const std::filesystem::path& path) const;

  std::filesystem::path path_;
  std::filesystem::path part_path_;
  std::filesystem::path file_path_;
  std::ofstream file_;
  bool finished_ = false;
};

}  // namespace fabrictwin

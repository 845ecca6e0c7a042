// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A folder of files that is created completely or not at all.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fabrictwin::trace::format {

/// Files are written to a temporary folder that is renamed to the final one when finish() succeeds. Otherwise nothing
/// is left. Not thread-safe.
class OutputFolder {
 public:
  /// Begins the folder `path`. FailedPrecondition if something other than an empty folder exists there, or if nothing
  /// can be written there.
  static absl::StatusOr<std::unique_ptr<OutputFolder>> create(const std::string& path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Ends the previous file, and begins the file `name`.
  absl::Status begin_file(const std::string& name);
  /// Appends to the current file.
  absl::Status write(std::string_view text);
  /// Ends the last file and renames the folder. Nothing may be called after it.
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

}  // namespace fabrictwin::trace::format

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Files that are written under a temporary name and then renamed.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fabrictwin {

/// The name to which a new file for `path` is to be renamed: `path`, or the file that it links to, since a rename would
/// replace the link. InvalidArgument if something exists there that is not a regular file (a rename would replace a
/// device or a pipe), or if a link leads to no file. Thread-safe.
absl::StatusOr<std::string> replaceable_file(const std::string& path);

/// A file that is written piece by piece, and that nobody sees before it is whole. Errors name the file and the reason:
/// those of replaceable_file(), else Unavailable. Not thread-safe.
class OutputFile {
 public:
  /// Begins the temporary file.
  static absl::StatusOr<OutputFile> create(const std::string& path);
  /// Removes what was written unless commit() has succeeded.
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Adds to the file. After an error the file can only be given up.
  absl::Status write(std::string_view bytes);
  /// Gives the file its name; to be called once, after the last write().
  absl::Status commit();

 private:
  struct Close {
    void operator()(std::FILE* stream) const { std::fclose(stream); }
  };

  OutputFile(std::string path, std::string target);
  absl::Status error(const char* what) const;

  std::string path_;
  std::string target_;
  std::string temporary_;  ///< Empty if there is no such file.
  std::unique_ptr<std::FILE, Close> stream_;
};

}  // namespace fabrictwin

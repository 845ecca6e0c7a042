// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What holds for an importer, whatever it reads.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "workloads/trace/format/column_decoder.h"
#include "workloads/trace/format/reader.h"

namespace fabrictwin {

/// A folder of its own, in memory where there is one, for the files of one input.
class ImportFolder {
 public:
  ImportFolder() {
    std::error_code code;
    const bool memory = std::filesystem::is_directory("/dev/shm", code) && access("/dev/shm", W_OK) == 0;
    path_ = (memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path()) /
            ("fabrictwin-fuzz-" + std::to_string(getpid()));
    std::filesystem::remove_all(path_, code);
    std::filesystem::create_directories(path_);
  }
  ~ImportFolder() {
    std::error_code code;
    std::filesystem::remove_all(path_, code);
  }
  ImportFolder(const ImportFolder&) = delete;
  ImportFolder& operator=(const ImportFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string out() const { return file("out.fttrace"); }
  void write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }

  /// Ends the program if the importer has not done what it must: a reason and no file, or a file that can be read.
  void check(const absl::Status& status) const {
    const bool written = std::filesystem::exists(out());
    require(written == status.ok());
    require(status.ok() || !status.message().empty());
    require(!std::filesystem::exists(out() + ".part"));
    if (!written) return;
    const auto reader = trace::format::Reader::open(out());
    require(reader.ok());
    for (uint32_t rank = 0; rank < (*reader)->ranks(); ++rank) {
      trace::format::RankCursor cursor(*reader, rank);
      auto event = cursor.next();
      for (; event.ok() && event->has_value(); event = cursor.next())
        require(trace::format::check_event(**event, (*reader)->ranks()).ok());
      require(event.ok());
    }
  }

 private:
  static void require(bool truth) {
    if (!truth) std::abort();
  }

  std::filesystem::path path_;
};

}  // namespace fabrictwin

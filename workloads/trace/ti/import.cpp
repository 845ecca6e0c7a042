// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/ti/import.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/trace/format/text_source.h"
#include "workloads/trace/format/writer.h"
#include "workloads/trace/ti/line.h"
#include "workloads/trace/ti/requests.h"

namespace fabrictwin::trace::ti {
namespace {

namespace fs = std::filesystem;

absl::Status line_error(const std::string& file, int32_t number, std::string_view line, const Error& error) {
  const absl::Status status = format::text_error(file, number, error.column, line, error.message);
  return error.unsupported ? absl::UnimplementedError(status.message()) : status;
}

absl::StatusOr<std::vector<fs::path>> read_index(const fs::path& index) {
  absl::StatusOr<std::ifstream> file = format::open_text(index);
  if (!file.ok()) return file.status();
  std::vector<fs::path> files;
  std::string line;
  for (int32_t number = 1; std::getline(*file, line); ++number) {
    const std::string_view name = strip(line);
    if (name.empty()) continue;
    if (name.find('\0') != std::string_view::npos || name.size() > 4096) {
      return line_error(index.string(), number, line, Error{1, "this is not the name of a file"});
    }
    if (files.size() == format::kMaxRanks)
      return line_error(index.string(), number, line,
                        Error{1, fmt::format("a trace has at most {} ranks", format::kMaxRanks)});
    files.push_back(index.parent_path() / std::string(name));
    std::error_code code;
    if (!fs::is_regular_file(files.back(), code)) {
      const std::string file = format::quotable(files.back().string());
      const std::string what =
          fs::is_directory(files.back(), code) ? file + " is a folder" : "there is no file " + file;
      return line_error(index.string(), number, line, Error{1, what + "; each line names the file of a rank"});
    }
  }
  if (files.empty()) return absl::InvalidArgumentError(fmt::format("{}: names no files", index.string()));
  return files;
}

absl::Status import_rank(const fs::path& path, uint32_t rank, uint32_t ranks, format::Writer& writer) {
  absl::StatusOr<std::ifstream> file = format::open_text(path);
  if (!file.ok()) return file.status();
  std::string line;
  format::Event event;
  Requests requests(static_cast<int32_t>(rank));
  bool finalized = false;
  int32_t number = 1;
  for (; std::getline(*file, line); ++number) {
    std::string_view text = line;
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (strip(text).empty()) continue;
    if (finalized) return line_error(path.string(), number, text, Error{1, "nothing can follow finalize"});
    if (std::optional<Error> error = parse_ti_line(text, rank, ranks, event))
      return line_error(path.string(), number, text, *error);
    const absl::StatusOr<bool> leaves = requests.follow(event, number);
    if (!leaves.ok()) {
      const bool unsupported = absl::IsUnimplemented(leaves.status());
      return line_error(path.string(), number, text, Error{1, std::string(message_of(leaves.status())), unsupported});
    }
    if (!*leaves) continue;
    if (absl::Status status = writer.append(rank, event); !status.ok()) return status;
    finalized = event.action == v1::FINALIZE;
  }
  if (file->bad()) return absl::UnavailableError(fmt::format("{}: cannot be read", path.string()));
  if (!finalized) {
    return absl::InvalidArgumentError(
        fmt::format("{}:{}:1: error: the trace of rank {} ends without finalize; is the file cut off?", path.string(),
                    number, rank));
  }
  return writer.flush(rank);
}

}  // namespace

absl::Status import_ti(const std::string& path, const std::string& out) {
  std::error_code code;
  const fs::path given(path);
  const fs::path index = fs::is_directory(given, code) ? given / "trace.index" : given;
  absl::StatusOr<std::vector<fs::path>> files = read_index(index);
  if (!files.ok()) return files.status();
  const uint32_t ranks = static_cast<uint32_t>(files->size());
  format::Info info;
  info.ranks = ranks;
  info.application = format::quotable(fs::absolute(index, code).parent_path().filename().string());
  info.source = "SimGrid time-independent trace";
  absl::StatusOr<std::unique_ptr<format::Writer>> writer = format::Writer::create(out, info);
  if (!writer.ok()) return writer.status();
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    if (absl::Status status = import_rank((*files)[rank], rank, ranks, **writer); !status.ok()) return status;
  }
  return (*writer)->finish();
}

}  // namespace fabrictwin::trace::ti

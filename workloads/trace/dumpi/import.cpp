// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/dumpi/import.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/trace/dumpi/call.h"
#include "workloads/trace/dumpi/communicators.h"
#include "workloads/trace/dumpi/rank.h"
#include "workloads/trace/format/text_source.h"
#include "workloads/trace/format/writer.h"

namespace fabrictwin::trace::dumpi {
namespace {

namespace fs = std::filesystem;

// Finds the file of each rank by the number at the end of its name.
absl::StatusOr<std::vector<fs::path>> find_files(const fs::path& folder) {
  std::error_code code;
  if (!fs::is_directory(folder, code))
    return absl::NotFoundError(
        fmt::format("{}: is not a folder; name the one with a text file for each rank", folder.string()));
  std::map<uint32_t, fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    const fs::path& file = entry.path();
    if (file.extension() == ".bin") {
      return absl::UnimplementedError(
          fmt::format("{}: this is the binary form; convert it with dumpi2ascii first", file.string()));
    }
    const std::string stem = file.stem().string();
    const size_t digits = stem.find_last_not_of("0123456789") + 1;
    uint32_t rank = 0;
    if (!entry.is_regular_file(code) || file.extension() == ".meta" || digits == stem.size()) continue;
    if (!parse_number(std::string_view(stem).substr(digits), rank) || rank >= format::kMaxRanks)
      return absl::InvalidArgumentError(fmt::format("{}: ranks are 0 to {}", file.string(), format::kMaxRanks - 1));
    if (const auto [other, fresh] = found.emplace(rank, file); !fresh) {
      return absl::InvalidArgumentError(
          fmt::format("{}: {} is of rank {}, too", file.string(), other->second.filename().string(), rank));
    }
  }
  if (found.empty()) {
    return absl::NotFoundError(
        fmt::format("{}: holds no file whose name ends in the number of a rank, as in NAME-0003.txt", folder.string()));
  }
  std::vector<fs::path> files;
  for (const auto& [rank, file] : found) {
    if (rank != files.size())
      return absl::NotFoundError(fmt::format("{}: the file of rank {} is missing", folder.string(), files.size()));
    files.push_back(file);
  }
  return files;
}

template <typename Handle>
absl::Status read_calls(const fs::path& file, const Handle& handle) {
  absl::StatusOr<std::ifstream> stream = format::open_text(file);
  if (!stream.ok()) return stream.status();
  Reader reader(file.string(), *std::move(stream));
  while (true) {
    absl::StatusOr<std::optional<Call>> call = reader.next();
    if (!call.ok()) return call.status();
    if (!call->has_value()) return absl::OkStatus();
    if (absl::Status status = handle(**call); !status.ok()) return status;
  }
}

}  // namespace

absl::Status import_dumpi(const std::string& path, const std::string& out) {
  const absl::StatusOr<std::vector<fs::path>> files = find_files(path);
  if (!files.ok()) return files.status();
  format::Info info;
  info.ranks = static_cast<uint32_t>(files->size());
  std::error_code code;
  info.application = format::quotable(fs::absolute(path, code).filename().string());
  info.source = "DUMPI text";
  absl::StatusOr<std::unique_ptr<format::Writer>> writer = format::Writer::create(out, info);
  if (!writer.ok()) return writer.status();
  Communicators communicators(info.ranks);
  for (uint32_t rank = 0; rank < info.ranks; ++rank) {
    Rank calls(rank, communicators, nullptr);
    if (absl::Status status = read_calls((*files)[rank], [&](const Call& call) { return calls.note(call); });
        !status.ok())
      return status;
  }
  if (absl::Status status = communicators.resolve(); !status.ok())
    return absl::Status(status.code(), fmt::format("{}: {}", path, message_of(status)));
  for (uint32_t rank = 0; rank < info.ranks; ++rank) {
    Rank calls(rank, communicators, [&](const format::Event& event) { return (*writer)->append(rank, event); });
    if (absl::Status status = read_calls((*files)[rank], [&](const Call& call) { return calls.add(call); });
        !status.ok())
      return status;
    if (!calls.finalized()) {
      return absl::InvalidArgumentError(fmt::format(
          "{}: the trace of rank {} ends without MPI_Finalize; is it cut off?", (*files)[rank].string(), rank));
    }
    if (absl::Status status = (*writer)->flush(rank); !status.ok()) return status;
  }
  return (*writer)->finish();
}

}  // namespace fabrictwin::trace::dumpi

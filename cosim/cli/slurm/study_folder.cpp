// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/slurm/study_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cosim/base/read_stream.h"
#include "cosim/base/text.h"
#include "cosim/cli/slurm/queue.h"
#include "cosim/cli/support/console.h"
#include "cosim/report/message_json.h"

namespace fabrictwin::cli::slurm {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::string result_file(const std::string& folder, size_t point) {
  return fmt::format("{}/results/{}.json", folder, point);
}

absl::Status refused(const std::string& folder, std::string_view why) {
  return absl::InvalidArgumentError(fmt::format("--slurm-dir {}: {}", folder, why));
}

/// What the folder of a study has.
constexpr std::array<std::string_view, 5> kOwnNames{"study.jsonl", "task.sh", "results", "logs", "lock"};

/// Whether the folder has no more than a launcher makes before it has written the study.
bool is_unfinished(const std::string& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const auto own = [&name](std::string_view each) {
      // write_file() has written a part of a file when it is killed.
      return name == each || (name.starts_with(std::string(each) + ".") && name.ends_with(".tmp"));
    };
    if (std::ranges::none_of(kOwnNames, own)) return false;
    std::error_code ignored;
    if (entry.is_directory(ignored) && !fs::is_empty(entry.path(), ignored)) return false;
  }
  return !error;
}

/// Whether this descriptor is that of the file that has the name now.
bool is_file(int fd, const std::string& name) {
  struct stat opened {};
  struct stat named {};
  return fstat(fd, &opened) == 0 && stat(name.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

/// Whether the study is in the folder already; InvalidArgument if something else is.
absl::StatusOr<bool> find_study(const std::string& folder, const Study& study) {
  std::error_code error;
  if (!fs::exists(folder, error)) return false;
  if (!fs::is_directory(folder, error)) return refused(folder, "this is no folder; name another one");
  if (fs::is_empty(folder, error)) return false;
  const absl::StatusOr<StudyHeader> found = read_study_header(study_file(folder));
  if (absl::IsNotFound(found.status()) && is_unfinished(folder)) return false;
  if (absl::IsNotFound(found.status()))
    return refused(folder, "there are files here, and none of a study (study.jsonl); name an empty or a new folder");
  if (!found.ok()) return refused(folder, message_of(found.status()));
  if (found->identity.program != study.identity.program) {
    return refused(folder,
                   fmt::format("the results here are those of another build of this program ({}, and this is {}); "
                               "go on with that one, or name another folder",
                               found->identity.program, study.identity.program));
  }
  if (found->identity.fingerprint != study.identity.fingerprint) {
    return refused(folder,
                   "the results here are those of another experiment, other points, or other files that it names; go "
                   "on with those, or name another folder");
  }
  return true;
}

/// The first folder of a path that is not there.
fs::path first_missing(const fs::path& path) {
  std::error_code error;
  fs::path missing;
  for (fs::path at = path; !at.empty() && !fs::exists(at, error); at = at.parent_path()) missing = at;
  return missing;
}

std::string script_text(const std::string& program, const std::string& folder) {
  return fmt::format(
      "#!/bin/sh\n"
      "# A task of a job: $1 is the point of the first one.\n"
      "exec {} slurm-task {} $(($1 + SLURM_ARRAY_TASK_ID))\n",
      shell_word(program), shell_word(folder));
}

}  // namespace

std::string study_file(const std::string& folder) { return folder + "/study.jsonl"; }

absl::StatusOr<std::unique_ptr<StudyFolder>> StudyFolder::open(const std::string& path, Study study,
                                                               const std::string& program) {
  std::error_code error;
  std::string whole = fs::weakly_canonical(fs::absolute(path, error), error).string();
  if (error) return refused(path, fmt::format("cannot find this folder: {}", error.message()));
  while (whole.size() > 1 && whole.ends_with('/')) whole.pop_back();
  const absl::StatusOr<bool> there = find_study(whole, study);
  if (!there.ok()) return there.status();
  if (absl::Status status = support::check_folder(whole, "study.jsonl"); !status.ok())
    return refused(path, message_of(status));
  std::unique_ptr<StudyFolder> folder(new StudyFolder(std::move(whole), std::move(study)));
  folder->made_ = first_missing(folder->path_);
  absl::Status status = support::make_folder(folder->path_);
  if (status.ok()) status = folder->lock();
  // What is there is that of the other launcher if the lock is.
  if (!status.ok()) return status;
  if (status = folder->fill(program); !status.ok()) {
    folder->discard();
    return status;
  }
  return folder;
}

StudyFolder::~StudyFolder() {
  if (lock_ >= 0) close(lock_);
}

absl::Status StudyFolder::lock() {
  const std::string name = path_ + "/lock";
  while (true) {
    lock_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    // Where files cannot be locked, nobody is kept out.
    if (lock_ < 0) return absl::OkStatus();
    const bool taken = flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && is_file(lock_, name)) return absl::OkStatus();
    close(std::exchange(lock_, -1));
    if (taken) break;
    // A launcher that has discarded its folder has removed the file meanwhile, and perhaps the folder.
    if (absl::Status status = support::make_folder(path_); !status.ok()) return status;
  }
  return absl::FailedPreconditionError(
      fmt::format("--slurm-dir {}: another fabrictwin follows the tasks of this folder; end that one first, or name "
                  "another folder",
                  path_));
}

absl::Status StudyFolder::fill(const std::string& program) {
  // Another launcher may have made a study before the lock was here.
  const absl::StatusOr<bool> there = find_study(path_, study_);
  if (!there.ok()) return there.status();
  fresh_ = !*there;
  return write(program);
}

absl::Status StudyFolder::write(const std::string& program) const {
  absl::Status status = support::make_folder(path_ + "/results");
  if (status.ok()) status = support::make_folder(path_ + "/logs");
  if (status.ok()) status = support::write_file(path_ + "/task.sh", script_text(program, path_));
  if (status.ok()) status = support::write_file(study_file(path_), study_text(study_));
  return status;
}

std::string StudyFolder::job_name() const {
  const std::string all = path_ + "\n" + study_.identity.program + "\n" + study_.identity.fingerprint;
  return fmt::format("fabrictwin-{:016x}", XXH3_64bits(all.data(), all.size()));
}

std::string StudyFolder::log_file(int64_t job, size_t point) const {
  return fmt::format("{}/logs/{}_{}.log", path_, job, point % kBlock);
}

absl::StatusOr<std::string> StudyFolder::last_words(int64_t job, size_t point) const {
  const std::string file = log_file(job, point);
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return absl::NotFoundError(fmt::format("cannot read {}", file));
  std::string last;
  for (std::string line; std::getline(stream, line);) {
    if (!strip(line).empty()) last = strip(line);
  }
  return last;
}

void StudyFolder::forget(size_t point) {
  std::error_code error;
  fs::remove(result_file(path_, point), error);
  taken_.erase(point);
}

std::map<size_t, study::point::Outcome> StudyFolder::take_results() {
  std::map<size_t, study::point::Outcome> outcomes;
  // A folder is listed, and its files are not tried by name, as network file systems remember for a while what was not
  // there.
  std::error_code error;
  for (fs::directory_iterator entry(path_ + "/results", error), end; !error && entry != end; entry.increment(error)) {
    size_t point = 0;
    const fs::path& file = entry->path();
    if (file.extension() != ".json" || !parse_number(file.stem().string(), point)) continue;
    if (point >= study_.points.size() || taken_.contains(point)) continue;
    absl::StatusOr<study::point::Outcome> outcome = read_result(path_, study_.identity, point);
    if (!outcome.ok()) continue;
    taken_.insert(point);
    outcomes.emplace(point, *std::move(outcome));
  }
  return outcomes;
}

void StudyFolder::discard() {
  if (!fresh_) return;
  std::error_code error;
  for (const std::string_view name : kOwnNames) fs::remove_all(fs::path(path_) / name, error);
  if (made_.empty()) return;
  // Others may have put something into the folders meanwhile, as another study with the same parent.
  for (fs::path at = path_; rmdir(at.c_str()) == 0 && at != made_;) at = at.parent_path();
}

absl::Status write_result(const std::string& folder, const StudyIdentity& identity, size_t point,
                          const study::point::Outcome& outcome) {
  ordered_json json = {{"program", identity.program}, {"fingerprint", identity.fingerprint}};
  json["outcome"] = study::point::outcome_json(outcome);
  return support::write_file(result_file(folder, point), report::json_text(json) + "\n");
}

absl::StatusOr<study::point::Outcome> read_result(const std::string& folder, const StudyIdentity& identity,
                                                  size_t point) {
  const std::string file = result_file(folder, point);
  std::ifstream stream(file, std::ios::binary);
  const std::optional<std::string> text = stream ? read_stream(stream) : std::nullopt;
  if (!text) return absl::NotFoundError(fmt::format("cannot read {}", file));
  const ordered_json json = ordered_json::parse(*text, nullptr, false);
  const auto says = [&json](const char* key, const std::string& value) {
    return json.contains(key) && json.at(key) == value;
  };
  if (!says("program", identity.program) || !says("fingerprint", identity.fingerprint) || !json.contains("outcome"))
    return absl::DataLossError(fmt::format("{} is no result of this study", file));
  return study::point::parse_outcome(json.at("outcome"));
}

}  // namespace fabrictwin::cli::slurm

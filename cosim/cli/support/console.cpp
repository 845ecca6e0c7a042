// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/console.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <google/protobuf/stubs/logging.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "cosim/base/output_file.h"

namespace fabrictwin::cli::support {
namespace {

bool colour() {
  const char* no_color = std::getenv("NO_COLOR");
  return stderr_is_terminal() && (no_color == nullptr || *no_color == '\0');
}

/// If the process was started without one of its standard streams, the next file that it opens would have that number,
/// and get what is told, or be read. Nothing can be read from what was to be read, nor written to standard output, as
/// without; what is told is lost.
void take_standard_streams() {
  for (const auto& [stream, mode] :
       {std::pair(STDIN_FILENO, O_WRONLY), std::pair(STDOUT_FILENO, O_RDONLY), std::pair(STDERR_FILENO, O_WRONLY)}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    const int nowhere = open("/dev/null", mode);
    if (nowhere < 0 || nowhere == stream) continue;
    dup2(nowhere, stream);
    close(nowhere);
  }
}

/// Whether all that is said is said by another process.
bool silent = false;

}  // namespace

bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1; }

void set_up_log() {
  take_standard_streams();
  const auto mode = colour() ? spdlog::color_mode::automatic : spdlog::color_mode::never;
  auto logger = spdlog::stderr_color_mt("fabrictwin", mode);
  // On a terminal, a log line first erases the progress line.
  logger->set_pattern(stderr_is_terminal() ? "\r\033[K%^%l%$: %v" : "%l: %v");
  spdlog::set_default_logger(std::move(logger));
  // The readers of messages report mistakes themselves, with their source locations.
  google::protobuf::SetLogHandler(nullptr);
}

void mute() {
  silent = true;
  spdlog::set_level(spdlog::level::off);
}

bool muted() { return silent; }

bool is_diagnostic(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  return line.find(": error: ") != std::string_view::npos;
}

void tell(std::FILE* stream, std::string_view text) {
  // fmt::print() throws if the stream does not take all.
  (void)std::fwrite(text.data(), 1, text.size(), stream);
  (void)std::fflush(stream);
}

void print_error(std::string_view text) {
  if (silent) return;
  const std::string_view red = colour() ? "\033[31m" : "";
  const std::string_view plain = colour() ? "\033[0m" : "";
  if (!is_diagnostic(text)) {
    tell(stderr, fmt::format("fabrictwin: {}error:{} {}\n", red, plain, text));
    return;
  }
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    static constexpr std::string_view kMark = ": error: ";
    const size_t mark = line.find(kMark);
    if (mark == std::string_view::npos) {
      tell(stderr, fmt::format("{}\n", line));
    } else {
      tell(stderr,
           fmt::format("{}: {}error:{} {}\n", line.substr(0, mark), red, plain, line.substr(mark + kMark.size())));
    }
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
}

absl::Status print_data(std::string_view data) {
  if (silent) return absl::OkStatus();
  if (std::fwrite(data.data(), 1, data.size(), stdout) != data.size() || std::fflush(stdout) != 0) {
    return absl::UnavailableError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  }
  return absl::OkStatus();
}

absl::Status check_file(const std::string& file) {
  if (file.empty()) return absl::InvalidArgumentError("cannot create a file without a name");
  const absl::StatusOr<OutputFile> tried = OutputFile::create(file);
  return tried.ok() ? absl::OkStatus() : absl::InvalidArgumentError(tried.status().message());
}

absl::Status check_file(const std::string& file, const std::string& folder) {
  const std::filesystem::path path = file;
  const std::filesystem::path parent = path.parent_path();
  std::error_code error;
  if (folder.empty() || parent.empty() || !path.has_filename() || std::filesystem::exists(parent, error))
    return check_file(file);
  // Nothing is below a folder that nobody makes, and so not beside it.
  for (std::filesystem::path each = parent; !each.empty() && !std::filesystem::exists(each, error);
       each = each.parent_path())
    if (each.filename() == "..") return check_file(file);
  const auto whole = [&error](const std::filesystem::path& name) {
    const std::filesystem::path made = std::filesystem::weakly_canonical(std::filesystem::absolute(name, error), error);
    return made.has_filename() ? made : made.parent_path();
  };
  const std::filesystem::path inner = whole(folder);
  const std::filesystem::path outer = whole(parent);
  const bool made = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
  return made ? check_folder(parent.string(), path.filename().string()) : check_file(file);
}

namespace {

/// Whether two names are those of one file, which need not exist.
bool is_same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty() || a == "-" || b == "-") return false;
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return true;
  // weakly_canonical() leaves a relative name of a file that does not exist as it is.
  const auto whole = [&error](const std::string& name) {
    const std::filesystem::path path = std::filesystem::absolute(name, error);
    return error ? path : std::filesystem::weakly_canonical(path, error);
  };
  const std::filesystem::path one = whole(a);
  return !error && one == whole(b) && !error;
}

}  // namespace

void add_files_read(const std::vector<std::string>& names, std::vector<NamedFile>& files) {
  for (const std::string& name : names) files.push_back({"a file that the experiment reads", name});
}

void add_files_of_out(const std::string& folder, const std::vector<std::string>& names, std::vector<NamedFile>& files) {
  if (folder.empty()) return;
  for (const std::string& name : names) files.push_back({"a file of --out", fmt::format("{}/{}", folder, name)});
}

absl::Status check_distinct(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read) {
  for (size_t i = 0; i < written.size(); ++i) {
    for (size_t j = i + 1; j < written.size(); ++j) {
      if (!is_same_file(written[i].file, written[j].file)) continue;
      return absl::InvalidArgumentError(fmt::format("{} and {} are one file, {}; name another one for one of them",
                                                    written[i].option, written[j].option, written[i].file));
    }
    for (const NamedFile& other : read) {
      if (!is_same_file(written[i].file, other.file)) continue;
      return absl::InvalidArgumentError(
          fmt::format("{} {} would replace {}; name another file", written[i].option, written[i].file, other.option));
    }
  }
  return absl::OkStatus();
}

absl::Status write_file(const std::string& file, std::string_view content) {
  absl::StatusOr<OutputFile> output = OutputFile::create(file);
  if (!output.ok()) return output.status();
  if (absl::Status status = output->write(content); !status.ok()) return status;
  return output->commit();
}

absl::Status check_folder(const std::string& folder, const std::string& name) {
  std::error_code error;
  const auto missing = [&error](const std::filesystem::path& path) {
    return std::filesystem::symlink_status(path, error).type() == std::filesystem::file_type::not_found;
  };
  std::filesystem::path probe = std::filesystem::path(folder) / name;
  std::filesystem::path nearest = folder;
  for (; !nearest.empty() && missing(nearest); nearest = nearest.parent_path()) probe = nearest;
  if (!nearest.empty() && !std::filesystem::exists(std::filesystem::symlink_status(nearest, error)) && error) {
    return absl::InvalidArgumentError(fmt::format("cannot make the folder {}: {}", folder, error.message()));
  }
  std::error_code ignored;
  if (!nearest.empty() && !std::filesystem::is_directory(nearest, ignored)) {
    return absl::InvalidArgumentError(
        fmt::format("cannot make the folder {}: {} is there and is no folder", folder, nearest.string()));
  }
  return check_file(probe.string());
}

absl::Status make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(fmt::format("cannot make the folder {}: {}", folder, error.message()));
}

}  // namespace fabrictwin::cli::support

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/caller/local_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>

#include "fmt/format.h"

extern char** environ;

namespace fabrictwin::bridges::caller {
namespace {

/// The descriptor of the pipe to which a child reports.
constexpr int kReadyFd = 3;
constexpr std::chrono::milliseconds kPatience{2000};

/// The attributes and file actions of a spawn, freed at the end.
struct SpawnSetup {
  SpawnSetup() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

/// Whether there is something to read, or at `stop_fd` if that is not -1, within this time. Signals do not end it.
bool readable(int fd, std::chrono::milliseconds at_most, int stop_fd = -1) {
  const auto deadline = std::chrono::steady_clock::now() + at_most;
  while (true) {
    pollfd events[] = {{fd, POLLIN, 0}, {stop_fd, POLLIN, 0}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    const int found = poll(events, std::size(events), std::max(0, static_cast<int>(left.count())));
    if (found >= 0 || errno != EINTR) return found > 0;
  }
}

/// A descriptor that can be read as soon as a stop is requested.
class StopEvent {
 public:
  explicit StopEvent(const std::stop_token& stop) : fd_(eventfd(0, EFD_CLOEXEC)), error_(fd_ < 0 ? errno : 0) {
    if (fd_ >= 0) told_.emplace(stop, Tell{fd_});
  }
  ~StopEvent() {
    // From then on nobody writes to it.
    told_.reset();
    if (fd_ >= 0) close(fd_);
  }
  StopEvent(const StopEvent&) = delete;
  StopEvent& operator=(const StopEvent&) = delete;
  int fd() const { return fd_; }
  /// Why there is none; 0 if there is one.
  int error() const { return error_; }

 private:
  struct Tell {
    void operator()() const { eventfd_write(fd, 1); }
    int fd;
  };
  int fd_;
  int error_;
  std::optional<std::stop_callback<Tell>> told_;
};

/// The prefix of the names of private folders. Versions that did not lock their folders used another one.
constexpr std::string_view kFolderPrefix = "fabrictwin-run-";
constexpr std::string_view kFolderEnd = "XXXXXX";

/// As long as any name in a private folder.
constexpr std::string_view kLongestName = "/99999.sock";

/// Says where temporary files go, and which variable says so.
struct TemporaryFolder {
  std::filesystem::path path = "/tmp";
  std::string source = "no TMPDIR is set";
};

TemporaryFolder temporary_folder() {
  for (const char* const variable : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"}) {
    if (const char* const path = std::getenv(variable); path != nullptr && *path != '\0')
      return {path, fmt::format("from {}", variable)};
  }
  return {};
}

/// Whether a private folder can be made, and sockets in it.
absl::Status check_temporary_folder(const TemporaryFolder& folder, bool for_sockets) {
  std::error_code error;
  const std::string& path = folder.path.native();
  if (!std::filesystem::is_directory(folder.path, error)) {
    return absl::UnavailableError(fmt::format("the folder for temporary files, {} ({}), {}", path, folder.source,
                                              error ? "cannot be used: " + error.message() : "is no folder"));
  }
  constexpr size_t kMost = sizeof(sockaddr_un::sun_path) - 1;
  const size_t length = (folder.path / kFolderPrefix).native().size() + kFolderEnd.size() + kLongestName.size();
  if (!for_sockets || length <= kMost) return absl::OkStatus();
  return absl::UnavailableError(
      fmt::format("the folder for temporary files, {} ({}), has a name of {} bytes, and sockets of workers take one of "
                  "at most {}; set TMPDIR to a shorter one",
                  path, folder.source, path.size(), kMost - (length - path.size())));
}

/// True if `path` still names the folder that was opened.
bool is_folder(int folder, const std::filesystem::path& path) {
  struct stat opened {};
  struct stat named {};
  return fstat(folder, &opened) == 0 && lstat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

/// Removes folders of this user whose processes ended without removing them, so that their locks are free.
void remove_orphans(const std::filesystem::path& parent) {
  std::error_code error;
  for (std::filesystem::directory_iterator entry(parent, error), end; !error && entry != end; entry.increment(error)) {
    if (!entry->path().filename().string().starts_with(kFolderPrefix)) continue;
    const int folder = open(entry->path().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) continue;
    struct stat found {};
    if (fstat(folder, &found) == 0 && found.st_uid == geteuid() && flock(folder, LOCK_EX | LOCK_NB) == 0 &&
        is_folder(folder, entry->path())) {
      std::error_code ignored;
      std::filesystem::remove_all(entry->path(), ignored);
    }
    close(folder);
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<LocalProcess>> LocalProcess::start(const std::string& name,
                                                                  const std::string& executable,
                                                                  std::vector<std::string> arguments) {
  int ready[2];
  if (pipe2(ready, O_CLOEXEC) != 0) {
    return absl::UnavailableError(fmt::format("{}: cannot make a pipe: {}", name, std::strerror(errno)));
  }
  arguments.insert(arguments.begin(), executable);
  for (std::string extra :
       {std::string("--parent-pid"), std::to_string(getpid()), std::string("--ready-fd"), std::to_string(kReadyFd)}) {
    arguments.push_back(std::move(extra));
  }
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);

  SpawnSetup setup;
  posix_spawn_file_actions_addopen(&setup.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&setup.actions, STDERR_FILENO, STDOUT_FILENO);
  // A descriptor that is dup'ed onto itself loses its close-on-exec flag, so this works even if the pipe is already
  // descriptor 3.
  posix_spawn_file_actions_adddup2(&setup.actions, ready[1], kReadyFd);
  posix_spawn_file_actions_addclosefrom_np(&setup.actions, kReadyFd + 1);
  posix_spawnattr_setflags(&setup.attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&setup.attributes, &none);
  pid_t pid = 0;
  const int error = posix_spawn(&pid, executable.c_str(), &setup.actions, &setup.attributes, argv.data(), environ);
  close(ready[1]);
  if (error != 0) {
    close(ready[0]);
    return absl::UnavailableError(fmt::format("{}: cannot start {}: {}", name, executable, std::strerror(error)));
  }
  const int pid_fd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  return std::unique_ptr<LocalProcess>(new LocalProcess(name, pid, pid_fd, ready[0]));
}

LocalProcess::~LocalProcess() {
  if (!wait_end(std::chrono::milliseconds(0))) {
    terminate();
    if (!wait_end(kPatience)) {
      kill(pid_, SIGKILL);
      while (!wait_end(kPatience)) {
      }
    }
  }
  if (ready_fd_ >= 0) close(ready_fd_);
  if (pid_fd_ >= 0) close(pid_fd_);
}

absl::StatusOr<std::string> LocalProcess::wait_ready(std::chrono::milliseconds at_most, const std::stop_token& stop) {
  const StopEvent stopped(stop);
  if (stopped.error() != 0) {
    return absl::UnavailableError(
        fmt::format("{}: cannot wait for it: no event for a stop: {}", name_, std::strerror(stopped.error())));
  }
  const auto deadline = std::chrono::steady_clock::now() + at_most;
  std::string line;
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    const bool in_time = left.count() > 0 && readable(ready_fd_, left, stopped.fd());
    if (stop.stop_requested()) return absl::CancelledError("interrupted");
    if (!in_time) {
      return absl::DeadlineExceededError(
          fmt::format("{} (pid {}) did not become ready within {} ms", name_, pid_, at_most.count()));
    }
    char byte = 0;
    const ssize_t length = read(ready_fd_, &byte, 1);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) {
      wait_end(kPatience);
      return absl::UnavailableError(
          fmt::format("{} (pid {}) ended before it was ready{}", name_, pid_, ended_ ? " (" + ending() + ")" : ""));
    }
    if (byte == '\n') return line;
    line += byte;
  }
}

bool LocalProcess::wait_end(std::chrono::milliseconds at_most) {
  if (ended_) return true;
  if (pid_fd_ >= 0 && !readable(pid_fd_, at_most)) return false;
  const pid_t result = waitpid(pid_, &wait_status_, pid_fd_ >= 0 ? 0 : WNOHANG);
  ended_ = result == pid_ || (result < 0 && errno == ECHILD);
  return ended_;
}

std::string LocalProcess::ending() const {
  if (!ended_) return {};
  if (WIFSIGNALED(wait_status_)) return fmt::format("signal {}", WTERMSIG(wait_status_));
  return fmt::format("status {}", WEXITSTATUS(wait_status_));
}

void LocalProcess::terminate() {
  if (!ended_) kill(pid_, SIGTERM);
}

absl::StatusOr<std::unique_ptr<PrivateFolder>> PrivateFolder::create(bool for_sockets) {
  const TemporaryFolder parent = temporary_folder();
  if (absl::Status status = check_temporary_folder(parent, for_sockets); !status.ok()) return status;
  remove_orphans(parent.path);
  while (true) {
    std::string path = (parent.path / fmt::format("{}{}", kFolderPrefix, kFolderEnd)).string();
    if (mkdtemp(path.data()) == nullptr) {
      return absl::UnavailableError(fmt::format("cannot make a folder in that for temporary files, {} ({}): {}",
                                                parent.path.native(), parent.source, std::strerror(errno)));
    }
    const int lock = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0 && errno != ENOENT) {
      return absl::UnavailableError(fmt::format("cannot open the temporary folder {}: {}", path, std::strerror(errno)));
    }
    // If a file system has no locks, no other process gets one to remove the folder, either.
    const bool taken = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    // Another process may have removed it as an orphan before it was locked.
    if (lock >= 0 && !taken && is_folder(lock, path)) {
      return std::unique_ptr<PrivateFolder>(new PrivateFolder(std::move(path), lock));
    }
    if (lock >= 0) close(lock);
  }
}

PrivateFolder::~PrivateFolder() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
  if (lock_ >= 0) close(lock_);
}

}  // namespace fabrictwin::bridges::caller

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/slurm/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "cosim/base/text.h"

extern char** environ;

namespace fabrictwin::cli::slurm {
namespace {

/// The ends of a pipe, closed at the end.
struct Pipe {
  Pipe() { made = pipe2(ends.data(), O_CLOEXEC) == 0; }
  ~Pipe() {
    for (int& end : ends) close_end(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  static void close_end(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
  bool made = false;
  std::array<int, 2> ends{-1, -1};
};

/// Takes what is there; false at the end of the stream.
bool take_output(int fd, std::string& text) {
  std::array<char, 4096> buffer;
  const ssize_t size = read(fd, buffer.data(), buffer.size());
  if (size < 0) return errno == EINTR;
  text.append(buffer.data(), static_cast<size_t>(size));
  return size > 0;
}

/// A descriptor, closed at the end; negative if there is none, which poll() passes over.
struct Descriptor {
  explicit Descriptor(int opened) : fd(opened) {}
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  const int fd;
};

/// The variables of this process but for those whose names begin with one of `without`.
std::vector<char*> environment(const std::vector<std::string_view>& without) {
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (std::ranges::none_of(without, [text](std::string_view name) { return text.starts_with(name); }))
      variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  return variables;
}

/// Starts the program with these outputs; an error number.
int start_program(std::vector<std::string>& words, const ProgramOptions& options, int out, int err, pid_t& pid) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const std::vector<char*> variables = environment(options.without);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // In a process group of its own: an interrupt is for whoever waits for it.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  const int error = posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), variables.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// Reads both outputs to their ends, and waits until the process `ended` is readable for has ended. Cancelled if `wake`
/// is readable before, DeadlineExceeded if it takes too long.
absl::Status read_outputs(int out, int err, int ended, int wake, std::chrono::milliseconds limit,
                          ProgramResult& result) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  std::array<pollfd, 4> events{pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}, pollfd{ended, POLLIN, 0},
                               pollfd{wake, POLLIN, 0}};
  const auto done = [&] { return events[0].fd < 0 && events[1].fd < 0 && events[2].fd < 0; };
  while (!done()) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    const int ready = left.count() > 0 ? poll(events.data(), events.size(), static_cast<int>(left.count())) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) return absl::UnavailableError(fmt::format("cannot be listened to: {}", std::strerror(errno)));
    if (ready == 0) return absl::DeadlineExceededError("does not end");
    if (events[3].revents != 0) return absl::CancelledError("a stop is requested");
    for (pollfd* stream : {&events[0], &events[1]}) {
      if (stream->fd < 0 || stream->revents == 0) continue;
      // What poll() should pass over is negative.
      if (!take_output(stream->fd, stream->fd == out ? result.out : result.err)) stream->fd = -1;
    }
    if (events[2].revents != 0) events[2].fd = -1;
  }
  return absl::OkStatus();
}

/// Takes the exit code of a process. An error number if there is none, as when this process was started with SIGCHLD
/// ignored: then the system forgets what ends.
int reap(pid_t pid, int& exit_code) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return errno;
  }
  exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return 0;
}

}  // namespace

absl::StatusOr<ProgramResult> run_program(std::vector<std::string> words, const ProgramOptions& options,
                                          const std::stop_token& stop) {
  const Descriptor wake(eventfd(0, EFD_CLOEXEC));
  Pipe out;
  Pipe err;
  if (!out.made || !err.made || wake.fd < 0)
    return absl::UnavailableError(fmt::format("{}: cannot make a pipe: {}", words[0], std::strerror(errno)));
  const std::stop_callback on_stop(stop, [&wake] { eventfd_write(wake.fd, 1); });
  pid_t pid = 0;
  const int error = start_program(words, options, out.ends[1], err.ends[1], pid);
  if (error == ENOENT) return absl::NotFoundError(fmt::format("there is no program {}", words[0]));
  if (error != 0) return absl::UnavailableError(fmt::format("cannot start {}: {}", words[0], std::strerror(error)));
  Pipe::close_end(out.ends[1]);
  Pipe::close_end(err.ends[1]);
  const Descriptor ended(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  ProgramResult result;
  const absl::Status read = read_outputs(out.ends[0], err.ends[0], ended.fd, wake.fd, options.limit, result);
  if (!read.ok()) kill(-pid, SIGKILL);
  const int lost = reap(pid, result.exit_code);
  if (absl::IsCancelled(read)) return read;
  if (absl::IsDeadlineExceeded(read)) {
    return absl::UnavailableError(
        fmt::format("{} did not end within {} s and was killed", words[0], options.limit.count() / 1000.0));
  }
  if (!read.ok()) return absl::UnavailableError(fmt::format("{} {}", words[0], message_of(read)));
  if (lost != 0) {
    return absl::UnavailableError(
        fmt::format("the system does not tell how {} has ended ({}); start fabrictwin from a shell or a program that "
                    "does not ignore SIGCHLD",
                    words[0], std::strerror(lost)));
  }
  return result;
}

}  // namespace fabrictwin::cli::slurm

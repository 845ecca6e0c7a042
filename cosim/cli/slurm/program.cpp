// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/slurm/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

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

/// Starts the program with these outputs; an error number.
int start_program(std::vector<std::string>& words, int out, int err, pid_t& pid) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
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
  const int error = posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// Reads both outputs to their ends.
void read_outputs(int out, int err, ProgramResult& result) {
  std::array<pollfd, 2> streams{pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}};
  for (int open = 2; open > 0;) {
    if (poll(streams.data(), streams.size(), -1) < 0 && errno != EINTR) return;
    for (pollfd& stream : streams) {
      if (stream.fd < 0 || stream.revents == 0) continue;
      if (take_output(stream.fd, stream.fd == out ? result.out : result.err)) continue;
      // poll() passes over it.
      stream.fd = -1;
      --open;
    }
  }
}

}  // namespace

absl::StatusOr<ProgramResult> run_program(std::vector<std::string> words) {
  Pipe out;
  Pipe err;
  if (!out.made || !err.made)
    return absl::UnavailableError(fmt::format("{}: cannot make a pipe: {}", words[0], std::strerror(errno)));
  pid_t pid = 0;
  const int error = start_program(words, out.ends[1], err.ends[1], pid);
  if (error == ENOENT) return absl::NotFoundError(fmt::format("there is no program {}", words[0]));
  if (error != 0) return absl::UnavailableError(fmt::format("cannot start {}: {}", words[0], std::strerror(error)));
  Pipe::close_end(out.ends[1]);
  Pipe::close_end(err.ends[1]);
  ProgramResult result;
  read_outputs(out.ends[0], err.ends[0], result);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace fabrictwin::cli::slurm

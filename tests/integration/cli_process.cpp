// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/cli_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <utility>

extern char** environ;

namespace fabrictwin {
namespace {

/// Takes what is there; false at the end of the stream.
bool take(int fd, std::string& text) {
  std::array<char, 4096> buffer;
  const ssize_t size = read(fd, buffer.data(), buffer.size());
  if (size < 0) return errno == EINTR;
  text.append(buffer.data(), static_cast<size_t>(size));
  return size > 0;
}

}  // namespace

std::string cli_binary() {
  const char* binary = std::getenv("FABRICTWIN_BINARY");
  return binary == nullptr ? "build/release/bin/fabrictwin" : binary;
}

CliResult run_cli(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                  const std::string& interrupt_after) {
  std::vector<std::string> words = {cli_binary()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_process(std::move(words), environment, interrupt_after);
}

CliResult run_cli_with_input(const std::vector<std::string>& arguments, const std::string& input) {
  std::vector<std::string> words = {cli_binary()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_process(std::move(words), {}, {}, input);
}

CliResult run_process(std::vector<std::string> words, const std::vector<std::string>& environment,
                      const std::string& interrupt_after, const std::string& input) {
  // As much as a pipe holds, so that nobody has to write while we read.
  int in[2];
  if (pipe2(in, O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  const bool fed = write(in[1], input.data(), input.size()) == static_cast<ssize_t>(input.size());
  close(in[1]);
  if (!fed) throw std::runtime_error("cannot write the input");
  int out[2];
  int err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err[1], 2);

  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::vector<std::string> added = environment;
  std::vector<char*> env;
  for (std::string& variable : added) env.push_back(variable.data());
  for (char** variable = environ; *variable != nullptr; ++variable) env.push_back(*variable);
  env.push_back(nullptr);

  pid_t pid = 0;
  const int failed = posix_spawnp(&pid, words[0].c_str(), &actions, nullptr, argv.data(), env.data());
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  close(err[1]);
  if (failed != 0) {
    close(out[0]);
    close(err[0]);
    throw std::runtime_error("cannot start " + words[0] + " (is FABRICTWIN_BINARY right?)");
  }

  CliResult result;
  bool interrupted = interrupt_after.empty();
  std::array<pollfd, 2> streams{pollfd{out[0], POLLIN, 0}, pollfd{err[0], POLLIN, 0}};
  int open = 2;
  while (open > 0) {
    if (poll(streams.data(), streams.size(), -1) < 0 && errno != EINTR) break;
    for (pollfd& stream : streams) {
      if (stream.fd < 0 || stream.revents == 0) continue;
      if (!take(stream.fd, stream.fd == out[0] ? result.out : result.err)) {
        stream.fd = -1;  // poll() passes over it.
        --open;
      }
    }
    if (!interrupted && result.err.find(interrupt_after) != std::string::npos) {
      kill(pid, SIGINT);
      interrupted = true;
    }
  }
  close(out[0]);
  close(err[0]);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace fabrictwin

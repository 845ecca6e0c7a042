// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/background_process.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace fabrictwin {

BackgroundProcess::BackgroundProcess(std::vector<std::string> words, const std::string& log, const std::string& out)
    : log_(log) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    if (freopen(log.c_str(), "w", stderr) == nullptr || freopen(out.c_str(), "w", stdout) == nullptr) _exit(126);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
}

BackgroundProcess::~BackgroundProcess() {
  if (pid_ < 0) return;
  kill(pid_, SIGTERM);
  wait();
}

std::string BackgroundProcess::log() const {
  std::ifstream file(log_);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void BackgroundProcess::send(int signal) const { kill(pid_, signal); }

bool BackgroundProcess::handles(int signal) const {
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  for (std::string word; status >> word;) {
    if (word != "SigCgt:") continue;
    uint64_t handled = 0;
    status >> std::hex >> handled;
    return (handled >> (signal - 1) & 1) != 0;
  }
  return false;
}

int BackgroundProcess::wait() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  while (std::chrono::steady_clock::now() < deadline) {
    if (condition()) return true;
    // Whom we wait for needs the processor more.
    poll(nullptr, 0, 50);
  }
  return false;
}

uint16_t port_in(const std::string& log) {
  static const std::regex kPort("http://127\\.0\\.0\\.1:([0-9]+)/");
  std::smatch found;
  return std::regex_search(log, found, kPort) ? static_cast<uint16_t>(std::stoi(found[1].str())) : 0;
}

}  // namespace fabrictwin

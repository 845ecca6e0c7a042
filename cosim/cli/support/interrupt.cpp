// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

namespace fabrictwin::cli::support {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};
constexpr char kStop = 's';
constexpr char kQuit = 'q';

/// The signal handler may only write to this pipe; the reader may do everything else.
int pipe_ends[2] = {-1, -1};

void handle(int) {
  const int saved = errno;
  (void)!write(pipe_ends[1], &kStop, 1);
  errno = saved;
}

}  // namespace

Interrupt::Interrupt() {
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe2");
  watcher_ = std::thread([this, fd = pipe_ends[0]] {
    char byte = kQuit;
    while (read(fd, &byte, 1) != 1) {
    }
    if (byte == kStop) source_.request_stop();
  });
  struct sigaction action {};
  action.sa_handler = handle;
  // The handler is reset, so that the second signal kills a process that does not stop.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : kSignals) sigaction(signal, &action, nullptr);
}

Interrupt::~Interrupt() {
  for (const int signal : kSignals) std::signal(signal, SIG_DFL);
  (void)!write(pipe_ends[1], &kQuit, 1);
  watcher_.join();
  for (int& fd : pipe_ends) {
    close(fd);
    fd = -1;
  }
}

void ignore_interrupts() { std::signal(SIGINT, SIG_IGN); }

}  // namespace fabrictwin::cli::support

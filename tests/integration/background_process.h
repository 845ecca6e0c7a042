// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs that go on while a test looks at what they serve.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fabrictwin {

/// A process in the background, whose outputs go to files; it is ended with this object.
class BackgroundProcess {
 public:
  /// Starts words[0]. Standard error goes to the file `log`, standard output to the file `out` if one is named.
  BackgroundProcess(std::vector<std::string> words, const std::string& log, const std::string& out = "/dev/null");
  ~BackgroundProcess();
  BackgroundProcess(const BackgroundProcess&) = delete;
  BackgroundProcess& operator=(const BackgroundProcess&) = delete;

  /// What it has written to standard error.
  std::string log() const;
  void send(int signal) const;
  /// Whether the process has a handler for a signal by now.
  bool handles(int signal) const;
  /// Waits for its end; the exit code, 128 + signal if a signal ended it.
  int wait();

 private:
  std::string log_;
  pid_t pid_ = -1;
};

/// Asks until the answer is yes; false if that takes more than five minutes.
bool eventually(const std::function<bool()>& condition);

/// The port in "http://127.0.0.1:PORT" of a log, or 0.
uint16_t port_in(const std::string& log);

}  // namespace fabrictwin

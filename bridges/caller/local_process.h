// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Processes that a run starts on its own host: workers, soft boards, agents.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin::bridges::caller {

/// A child process. It is in its own process group, so that an interrupt from the terminal reaches only the run, which
/// then ends it. Destroying it ends the process and waits for it. Used by one thread.
class LocalProcess {
 public:
  /// Starts `executable` with `arguments`; "--parent-pid PID --ready-fd FD" are added. Its output goes to this
  /// process's standard error. `name` is for errors ("worker:shm"). NotFound or Unavailable if it cannot be started.
  static absl::StatusOr<std::unique_ptr<LocalProcess>> start(const std::string& name, const std::string& executable,
                                                             std::vector<std::string> arguments);
  ~LocalProcess();
  LocalProcess(const LocalProcess&) = delete;
  LocalProcess& operator=(const LocalProcess&) = delete;

  pid_t pid() const { return pid_; }

  /// Waits for the line that the process writes when it is ready. Unavailable if it ends, DeadlineExceeded if it writes
  /// nothing in time, Cancelled as soon as a stop is requested.
  absl::StatusOr<std::string> wait_ready(std::chrono::milliseconds at_most, const std::stop_token& stop = {});

  /// True if the process has ended within this time; ending() then says how.
  bool wait_end(std::chrono::milliseconds at_most);
  /// How the process has ended: "signal 9", "status 1"; empty while it runs.
  std::string ending() const;

  /// Asks it to end (SIGTERM).
  void terminate();

 private:
  LocalProcess(std::string name, pid_t pid, int pid_fd, int ready_fd)
      : name_(std::move(name)), pid_(pid), pid_fd_(pid_fd), ready_fd_(ready_fd) {}

  std::string name_;
  pid_t pid_;
  int pid_fd_;  ///< A pidfd, readable when the process has ended.
  int ready_fd_;
  bool ended_ = false;
  int wait_status_ = 0;
};

/// A folder that only this user can enter, removed with everything in it on destruction. It is locked as long as the
/// process lives, so that the next run can recognise and remove the folders of killed processes.
class PrivateFolder {
 public:
  /// Makes one in the folder for temporary files. Unavailable with the name of that folder, and of the variable that
  /// names it, if there is none, nothing can be made in it, or, with `for_sockets`, its name is too long for a socket.
  static absl::StatusOr<std::unique_ptr<PrivateFolder>> create(bool for_sockets = true);
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  PrivateFolder(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}
  std::string path_;
  int lock_;  ///< A descriptor of the folder.
};

}  // namespace fabrictwin::bridges::caller

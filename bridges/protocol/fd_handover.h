// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Handing the memory of a run to a process on the same host: a descriptor over a Unix socket.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fabrictwin {

/// The side that takes a descriptor. Thread-safe for one caller at a time.
class HandoverListener {
 public:
  /// Listens at a fresh name in the abstract name space. Unavailable if that does not work here.
  static absl::StatusOr<std::unique_ptr<HandoverListener>> create();
  ~HandoverListener();
  HandoverListener(const HandoverListener&) = delete;
  HandoverListener& operator=(const HandoverListener&) = delete;

  /// "@name", for HelloResponse.handover_socket.
  const std::string& name() const { return name_; }

  /// Waits for the descriptor of a run; those of other runs and processes of other users are refused. DeadlineExceeded
  /// if it does not come.
  absl::StatusOr<int> receive(const std::string& run_id, std::chrono::milliseconds at_most);

 private:
  HandoverListener(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}
  int fd_;
  std::string name_;
};

/// Connects to the hand-over socket `name` ("@name" or a path) of a process of the same user. Returns the connected
/// socket.
absl::StatusOr<int> connect_handover(const std::string& name);

/// Sends `fd` for a run over a connected socket.
absl::Status send_descriptor(int socket, const std::string& run_id, int fd);

}  // namespace fabrictwin

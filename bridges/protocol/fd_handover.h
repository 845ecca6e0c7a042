// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hands the memory of a run to a process on the same host, as a descriptor over a Unix socket.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fabrictwin::bridges::protocol {

/// The side that receives a descriptor. Used by one thread at a time.
class HandoverListener {
 public:
  /// Listens at a new name in the abstract namespace. Unavailable if that does not work on this machine.
  static absl::StatusOr<std::unique_ptr<HandoverListener>> create();
  ~HandoverListener();
  HandoverListener(const HandoverListener&) = delete;
  HandoverListener& operator=(const HandoverListener&) = delete;

  /// The name of the socket, "@name", for HelloResponse.handover_socket.
  const std::string& name() const { return name_; }

  /// Waits for the descriptor of a run; those of other runs and processes of other users are refused. DeadlineExceeded
  /// if it does not arrive.
  absl::StatusOr<int> receive(const std::string& run_id, std::chrono::milliseconds at_most);

 private:
  HandoverListener(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}
  int fd_;
  std::string name_;
};

/// Connects to the handover socket `name` ("@name" or a path) of a process of the same user. Returns the connected
/// socket.
absl::StatusOr<int> connect_handover(const std::string& name);

/// Sends `fd` for a run over a connected socket.
absl::Status send_descriptor(int socket, const std::string& run_id, int fd);

}  // namespace fabrictwin::bridges::protocol

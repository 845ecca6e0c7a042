// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The processes that MPI has started together, as far as bridges need them. Nothing here is of MPI itself, so whoever
// uses it is built and run without.
#pragma once

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fabrictwin::bridges::mpi {

/// A message that has come.
struct Message {
  int from = 0;
  int tag = 0;
  std::string bytes;
};

/// The world of a process. Messages from one rank to another come in the order in which they were sent, whatever their
/// tags. Thread-safe. Errors (Unavailable, ResourceExhausted) are those of MPI and name the other rank; after one, the
/// world is of no use but for abort(). If the process of a rank on this machine has ended, receive() from that rank or
/// from any is Unavailable, and the world goes on for others; of ranks on other machines only their launcher knows.
class World {
 public:
  /// For receive(): any rank, any tag.
  static constexpr int kAny = -1;

  /// Waits until what was sent has gone and until all ranks have come to this, unless one has failed.
  virtual ~World() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Sends a message without waiting: it goes while poll() or receive() are called. The tag is not negative.
  /// ResourceExhausted for a message of 2 GiB or more, which MPI does not take.
  virtual absl::Status send(int to, int tag, std::string bytes) = 0;
  /// The first message from a rank with a tag that has come and has not been received, if there is one. Does not wait.
  virtual absl::StatusOr<std::optional<Message>> receive(int from, int tag) = 0;
  /// Lets messages go.
  virtual absl::Status poll() = 0;
  /// The name of the machine, for messages.
  virtual std::string processor_name() const = 0;
  /// Ends all ranks at once, with an exit code, after printing the message.
  virtual void abort(int code, const std::string& message) = 0;
};

}  // namespace fabrictwin::bridges::mpi

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranks on this machine whose processes end before they should: MPI does not say so.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <vector>

namespace fabrictwin::bridges::mpi {

/// Processes of other ranks. Not thread-safe.
class PeerProcesses {
 public:
  PeerProcesses() = default;
  ~PeerProcesses();
  PeerProcesses(const PeerProcesses&) = delete;
  PeerProcesses& operator=(const PeerProcesses&) = delete;

  /// Watches a process of this machine from now on. Does nothing where the kernel cannot do that (before Linux 5.3).
  void watch(int rank, pid_t process);
  /// The first of those with this rank, or with any if it is negative, whose process has ended. Looks at most once in a
  /// few milliseconds, so that it can be called whenever there is nothing to receive.
  std::optional<int> ended(int rank);

 private:
  struct Peer {
    int rank = 0;
    int fd = -1;  ///< A pidfd, readable when the process has ended.
    bool ended = false;
  };

  std::vector<Peer> peers_;
  std::chrono::steady_clock::time_point looked_{};
};

}  // namespace fabrictwin::bridges::mpi

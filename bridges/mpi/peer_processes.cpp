// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/mpi/peer_processes.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace fabrictwin::bridges::mpi {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{5};

}  // namespace

PeerProcesses::~PeerProcesses() {
  for (const Peer& peer : peers_) close(peer.fd);
}

void PeerProcesses::watch(int rank, pid_t process) {
  const int fd = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  if (fd >= 0) peers_.push_back({rank, fd});
}

std::optional<int> PeerProcesses::ended(int rank) {
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_ >= kBetweenLooks) {
    looked_ = now;
    for (Peer& peer : peers_) {
      pollfd event{peer.fd, POLLIN, 0};
      peer.ended = peer.ended || poll(&event, 1, 0) > 0;
    }
  }
  for (const Peer& peer : peers_) {
    if (peer.ended && (rank < 0 || rank == peer.rank)) return peer.rank;
  }
  return std::nullopt;
}

}  // namespace fabrictwin::bridges::mpi

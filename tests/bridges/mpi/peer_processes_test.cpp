// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/mpi/peer_processes.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>

namespace fabrictwin::bridges::mpi {
namespace {

/// A process that waits to be killed.
class Sleeper {
 public:
  Sleeper() : process_(fork()) {
    if (process_ != 0) return;
    while (true) pause();
  }
  ~Sleeper() { end(); }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;

  pid_t process() const { return process_; }
  void end() {
    if (process_ <= 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = -1;
  }

 private:
  pid_t process_;
};

TEST(PeerProcesses, TellWhoHasEnded) {
  Sleeper one;
  Sleeper two;
  ASSERT_GT(one.process(), 0);
  ASSERT_GT(two.process(), 0);
  PeerProcesses peers;
  peers.watch(1, one.process());
  peers.watch(2, two.process());
  EXPECT_EQ(peers.ended(-1), std::nullopt);
  two.end();
  // It looks again after a while.
  while (!peers.ended(-1).has_value()) {
  }
  EXPECT_EQ(peers.ended(-1), 2);
  EXPECT_EQ(peers.ended(2), 2);
  EXPECT_EQ(peers.ended(1), std::nullopt);
}

TEST(PeerProcesses, AreNoneByThemselves) {
  PeerProcesses peers;
  EXPECT_EQ(peers.ended(-1), std::nullopt);
}

}  // namespace
}  // namespace fabrictwin::bridges::mpi

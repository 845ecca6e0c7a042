// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A world without MPI, for tests: its ranks are threads of one process.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bridges/mpi/world.h"

namespace fabrictwin::bridges::mpi {

/// Several worlds that reach each other. Thread-safe.
class LocalWorlds {
 public:
  explicit LocalWorlds(int size);
  ~LocalWorlds();
  LocalWorlds(const LocalWorlds&) = delete;
  LocalWorlds& operator=(const LocalWorlds&) = delete;

  /// The world as one rank sees it. It lives as long as this object.
  World& at(int rank);
  /// Messages that nobody has received yet.
  size_t unreceived() const;
  /// The message of abort(), after which all calls fail; empty if nobody has called it.
  std::string aborted() const;

 private:
  class Rank;

  mutable std::mutex mutex_;
  std::vector<std::deque<Message>> queues_;  ///< By receiver.
  std::string aborted_;
  std::vector<std::unique_ptr<Rank>> ranks_;
};

}  // namespace fabrictwin::bridges::mpi

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The communicators of a rank.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <vector>

#include "workloads/recorder/handle_table.h"
#include "workloads/recorder/mpi_library.h"
#include "workloads/recorder/part_format.h"

namespace fabrictwin::recorder {

/// A communicator as a trace knows it.
struct Communicator {
  uint32_t number = 0;
  int rank = 0;                  ///< Rank of this process in it.
  std::vector<int32_t> members;  ///< Ranks of the world, in the communicator's order.

  int size() const { return static_cast<int>(members.size()); }
};

/// Communicators by their handles. Their members agree on the numbers: the lowest that none of them uses, so that two
/// communicators with a common member have different numbers. Not thread-safe.
class CommunicatorTable {
 public:
  /// MPI_COMM_SELF has the highest number, on each rank.
  static constexpr uint32_t kSelfNumber = kHighestCommunicator;

  /// Registers the world; call it once, after MPI has been initialised.
  void fill();
  const Communicator& world() const { return *world_; }

  /// The communicator, or nullptr if it is unknown.
  const Communicator* find(MPI_Comm comm) {
    const uint64_t key = handle_key(comm);
    if (key == last_) [[likely]]
      return last_known_;
    const std::unique_ptr<Communicator>* const known = known_.find(key);
    if (known == nullptr) return nullptr;
    last_ = key;
    last_known_ = known->get();
    return last_known_;
  }

  /// Agrees with the other members of a new communicator on its number, adds it and returns the number; 0 if all
  /// numbers are in use. All members must call it.
  uint32_t add(MPI_Comm comm);
  /// Takes part in add() for a rank that no longer records.
  static void add_unrecorded(MPI_Comm comm);
  /// Adds MPI_COMM_SELF when it is used for the first time.
  const Communicator& add_self();
  /// Removes a communicator; its number may be reused.
  void remove(MPI_Comm comm);

 private:
  using Numbers = std::bitset<kHighestCommunicator + 1>;

  static void agree(MPI_Comm comm, uint32_t (&words)[64]);
  Communicator& keep(MPI_Comm comm, uint32_t number);

  HandleTable<std::unique_ptr<Communicator>> known_;
  Numbers used_;
  uint64_t last_ = 0;
  const Communicator* last_known_ = nullptr;
  const Communicator* world_ = nullptr;
};

}  // namespace fabrictwin::recorder

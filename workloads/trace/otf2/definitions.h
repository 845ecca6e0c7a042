// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The MPI definitions of an OTF2 archive: ranks, communicators, regions, clock.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/base/time.h"

namespace fabrictwin::trace::otf2 {

/// A communicator of the archive.
struct Communicator {
  std::string name;
  /// Ranks of the world, in the order of the communicator. Empty if `problem` is not.
  std::vector<uint32_t> members;
  /// Every rank has its own communicator with one member.
  bool self = false;
  /// Why it cannot be used, for example because it is an intercommunicator.
  std::string problem;
};

/// Collected from the global definitions, then resolved. Not thread-safe.
class Definitions {
 public:
  void add_string(uint32_t self, std::string text) { strings_[self] = std::move(text); }
  void add_region(uint32_t self, uint32_t name, bool mpi) { regions_[self] = {name, mpi}; }
  void add_location(uint64_t self, bool thread, uint64_t events) {
    event_counts_[self] = events;
    locations_.push_back({self, thread});
  }
  void add_group(uint32_t self, uint8_t type, bool mpi, bool global_members, std::vector<uint64_t> members);
  void add_communicator(uint32_t self, uint32_t name, uint32_t group) { defined_.push_back({self, name, group, true}); }
  /// Adds an intercommunicator, which traces do not have.
  void add_intercommunicator(uint32_t self, uint32_t name) { defined_.push_back({self, name, 0, false}); }
  void set_clock(uint64_t ticks_per_second) { ticks_per_second_ = ticks_per_second; }

  /// Finds the ranks and the members of communicators. InvalidArgument (without the name of the file) if the archive is
  /// not one of an MPI program, or is invalid.
  absl::Status resolve();

  /// The locations of the ranks' events, in rank order: those that call MPI.
  const std::vector<uint64_t>& ranks() const { return ranks_; }
  /// Locations of other threads.
  const std::vector<uint64_t>& threads() const { return threads_; }
  /// The number of events that a location must have.
  uint64_t events(uint64_t location) const;
  /// The communicator, or null if there is none.
  const Communicator* communicator(uint32_t self) const;
  bool is_world(uint32_t communicator) const { return has_world_ && communicator == world_; }
  /// Whether EZTrace has written the archive. Sizes of collectives are then those of the arguments, and peers MPI's own
  /// numbers.
  bool by_eztrace() const { return by_eztrace_; }
  /// The name of an MPI call; empty for any other region; null if there is no such region or its name is missing.
  const std::string* mpi_call(uint32_t region) const;
  /// Time between two timestamps; zero if the second is not later.
  Time duration(uint64_t from, uint64_t to) const;

 private:
  struct Region {
    uint32_t name;
    bool mpi;
  };
  struct Location {
    uint64_t self;
    bool thread;
  };
  struct Group {
    uint8_t type;
    bool global_members;
    std::vector<uint64_t> members;
  };
  struct Defined {
    uint32_t self;
    uint32_t name;
    uint32_t group;
    bool one_group;
  };

  absl::Status find_ranks();
  Communicator resolve(const Defined& defined) const;

  std::unordered_map<uint32_t, std::string> strings_;
  std::unordered_map<uint32_t, Region> regions_;
  std::vector<Location> locations_;
  std::unordered_map<uint64_t, uint64_t> event_counts_;
  std::unordered_map<uint32_t, Group> groups_;
  std::vector<std::vector<uint64_t>> mpi_locations_;  // Members of groups that list the locations of MPI.
  std::vector<Defined> defined_;
  uint64_t ticks_per_second_ = 0;
  std::vector<uint64_t> ranks_;
  std::unordered_map<uint64_t, uint32_t> rank_of_location_;
  std::vector<uint64_t> threads_;
  std::unordered_map<uint32_t, Communicator> communicators_;
  bool has_world_ = false;
  uint32_t world_ = 0;
  bool by_eztrace_ = false;
};

}  // namespace fabrictwin::trace::otf2

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the definitions of an OTF2 archive say of MPI: ranks, communicators, regions, clock.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/base/time.h"

namespace fabrictwin {

/// A communicator of the archive.
struct Otf2Communicator {
  std::string name;
  /// Ranks of the world, in the order of the communicator. Empty if `problem` is not.
  std::vector<uint32_t> members;
  /// One member each: every rank has its own.
  bool self = false;
  /// Why it cannot be used, of one between two groups for example.
  std::string problem;
};

/// Collected from the global definitions, then resolved. Not thread-safe.
class Otf2Definitions {
 public:
  void add_string(uint32_t self, std::string text) { strings_[self] = std::move(text); }
  void add_region(uint32_t self, uint32_t name, bool mpi) { regions_[self] = {name, mpi}; }
  void add_location(uint64_t self, bool thread, uint64_t events) {
    event_counts_[self] = events;
    locations_.push_back({self, thread});
  }
  void add_group(uint32_t self, uint8_t type, bool mpi, bool global_members, std::vector<uint64_t> members);
  void add_communicator(uint32_t self, uint32_t name, uint32_t group) { defined_.push_back({self, name, group, true}); }
  /// One between two groups, which traces do not have.
  void add_intercommunicator(uint32_t self, uint32_t name) { defined_.push_back({self, name, 0, false}); }
  void set_clock(uint64_t ticks_per_second) { ticks_per_second_ = ticks_per_second; }

  /// Finds the ranks and the members of communicators. InvalidArgument (without the name of the file) if the archive is
  /// not one of an MPI program, or is not sound.
  absl::Status resolve();

  /// The location whose events are those of a rank, in rank order: the one that calls MPI.
  const std::vector<uint64_t>& ranks() const { return ranks_; }
  /// Other threads.
  const std::vector<uint64_t>& threads() const { return threads_; }
  /// How many events a location must have.
  uint64_t events(uint64_t location) const;
  /// Null if there is none.
  const Otf2Communicator* communicator(uint32_t self) const;
  bool is_world(uint32_t communicator) const { return has_world_ && communicator == world_; }
  /// True if EZTrace has written it. Sizes of collectives are then those of the arguments, and peers MPI's own numbers.
  bool by_eztrace() const { return by_eztrace_; }
  /// The name of a call of MPI; empty for any other region; null if there is no such region, or its name is
  /// missing.
  const std::string* mpi_call(uint32_t region) const;
  /// Time between two stamps; zero if the second is not later.
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
  Otf2Communicator resolve(const Defined& defined) const;

  std::unordered_map<uint32_t, std::string> strings_;
  std::unordered_map<uint32_t, Region> regions_;
  std::vector<Location> locations_;
  std::unordered_map<uint64_t, uint64_t> event_counts_;
  std::unordered_map<uint32_t, Group> groups_;
  std::vector<std::vector<uint64_t>> mpi_locations_;  // Of groups that list the locations of MPI.
  std::vector<Defined> defined_;
  uint64_t ticks_per_second_ = 0;
  std::vector<uint64_t> ranks_;
  std::unordered_map<uint64_t, uint32_t> rank_of_location_;
  std::vector<uint64_t> threads_;
  std::unordered_map<uint32_t, Otf2Communicator> communicators_;
  bool has_world_ = false;
  uint32_t world_ = 0;
  bool by_eztrace_ = false;
};

}  // namespace fabrictwin

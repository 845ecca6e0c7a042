// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Communicators of a DUMPI trace. Each rank numbers them in its own way; what their members share is how they were
// made.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace fabrictwin::trace::dumpi {

/// Filled while all ranks are read for the first time, then resolved. A communicator is named by its origin
/// ("world/0:5", the first one made of the world, of the ranks with color 5). Not thread-safe.
class Communicators {
 public:
  struct Communicator {
    uint32_t number = 0;            ///< Number in the trace.
    std::vector<uint32_t> members;  ///< Ranks of the world, in order.
  };
  /// The name of the world.
  static std::string world() { return "world"; }

  explicit Communicators(uint32_t ranks);

  /// Makes a rank a member of `name`, derived from `parent`; members are in the order of their keys, then of their
  /// ranks in the parent.
  void join(const std::string& name, const std::string& parent, int64_t key, uint32_t rank);
  /// Call it once, when all have joined. Unimplemented if there are too many.
  absl::Status resolve();
  /// The communicator, or null if there is none.
  const Communicator* find(const std::string& name) const;

 private:
  struct Joining {
    std::string name;
    std::string parent;
    std::vector<std::pair<int64_t, uint32_t>> keys;  // Pairs of key and rank.
  };

  std::vector<Joining> joining_;
  std::map<std::string, size_t> index_;
  std::map<std::string, Communicator> resolved_;
};

}  // namespace fabrictwin::trace::dumpi

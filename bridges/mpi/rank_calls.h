// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The bridges of rank 0 to the other ranks.
#pragma once

#include <memory>

#include "bridges/caller/bridge_calls.h"
#include "bridges/mpi/world.h"

namespace fabrictwin::bridges::mpi {

/// Reaches ranks that do serve_rank(). Thread-safe; the calls of one rank wait for each other.
class WorldLinks final : public caller::RankLinks {
 public:
  /// `world` is that of rank 0 and must outlive this object and what it makes.
  explicit WorldLinks(World& world) : world_(world) {}

  std::unique_ptr<caller::BridgeCalls> calls(int rank) override;
  std::unique_ptr<caller::RunStream> stream(int rank) override;
  int ranks() const override { return world_.size(); }

 private:
  World& world_;
};

}  // namespace fabrictwin::bridges::mpi

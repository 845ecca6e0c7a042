// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The communication of HPCG, generated without running it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "workloads/skeleton/extent.h"
#include "workloads/skeleton/host_profile.h"
#include "workloads/trace/format/source.h"

namespace fabrictwin::skeleton {

struct HpcgOptions {
  uint32_t ranks = 1;
  Extent local{};  ///< Points of a rank; each extent is a multiple of 8.
  uint32_t reference_iterations = 50;
  std::optional<Extent> grid;  ///< Ranks in x, y and z; by default what HPCG chooses.
  HostProfile host;
};

/// The events of a run of HPCG 3.1, one for one; the equations are in docs/models/skeletons.md. Events are generated on
/// request: memory holds only the neighbours of a rank that is being read.
class Hpcg final : public trace::format::Source {
 public:
  /// InvalidArgument if HPCG cannot run with these options.
  static absl::StatusOr<std::shared_ptr<const Hpcg>> create(const HpcgOptions& options);

  const trace::format::Info& info() const override { return info_; }
  std::unique_ptr<trace::format::EventSource> rank(uint32_t rank) const override;

  /// The grid of ranks that HPCG chooses by the search in its ComputeOptimalShapeXYZ().
  static Extent default_grid(uint32_t ranks);

 private:
  friend class HpcgRank;
  static constexpr int kLevels = 4;

  enum class Step : uint8_t { kInit, kExchange, kSum, kSumLong, kCompute, kFinalize };
  /// One step of every rank.
  struct Phase {
    Step step = Step::kInit;
    uint8_t level = 0;
    Computation computation;
  };
  struct Plan {
    Extent grid{};
    Extent local{};
    std::vector<Phase> phases;
  };

  class PlanBuilder;

  Hpcg(trace::format::Info info, std::shared_ptr<const Plan> plan) : info_(std::move(info)), plan_(std::move(plan)) {}

  trace::format::Info info_;
  std::shared_ptr<const Plan> plan_;
};

}  // namespace fabrictwin::skeleton

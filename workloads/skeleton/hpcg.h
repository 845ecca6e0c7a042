// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What HPCG communicates, without running it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "workloads/skeleton/extent.h"
#include "workloads/skeleton/host_profile.h"
#include "workloads/trace/trace_source.h"

namespace fabrictwin {

struct HpcgOptions {
  uint32_t ranks = 1;  ///< A power of two, unless `grid` is given.
  Extent local{};      ///< Points of a rank; each extent a multiple of 8.
  uint32_t reference_iterations = 50;
  std::optional<Extent> grid;  ///< Ranks in x, y and z; else what HPCG chooses.
  HostProfile host;
};

/// The events of a run of HPCG 3.1, one for one; the equations are in docs/models/skeletons.md. Events are made when
/// they are asked for: a rank that is being read holds its neighbours only.
class Hpcg final : public TraceSource {
 public:
  /// InvalidArgument if the options are not those of a run that HPCG can do.
  static absl::StatusOr<std::shared_ptr<const Hpcg>> create(const HpcgOptions& options);

  const TraceInfo& info() const override { return info_; }
  std::unique_ptr<EventSource> rank(uint32_t rank) const override;

  /// The grid of ranks that HPCG chooses for a power of two.
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

  Hpcg(TraceInfo info, std::shared_ptr<const Plan> plan) : info_(std::move(info)), plan_(std::move(plan)) {}

  TraceInfo info_;
  std::shared_ptr<const Plan> plan_;
};

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/hpcg.h"

#include <bit>
#include <utility>

#include "fmt/format.h"
#include "workloads/skeleton/halo_exchange.h"

namespace fabrictwin {
namespace {

constexpr int32_t kTag = 99;
constexpr uint32_t kMaxIterations = 100'000;
// A row has 27 entries of a value and a column, and the vectors that go with it.
constexpr double kRowFlops = 2.0 * 27;
constexpr double kRowBytes = 27.0 * 12 + 16;
// Making the matrix: values, columns, and the map from global to local.
constexpr double kSetupBytes = 27.0 * (12 + 8 + 16) * 4;

}  // namespace

/// Writes down what all ranks do, as main() of HPCG does it.
class Hpcg::PlanBuilder {
 public:
  PlanBuilder(const HpcgOptions& options, Plan& plan) : host_(options.host), plan_(plan) {
    points_ = 1;
    for (const uint32_t extent : options.local) points_ *= extent;
  }

  void run(uint32_t iterations) {
    add(Step::kInit);
    compute(0, kSetupBytes * points_);
    for (int i = 0; i < 8; ++i) add(Step::kSumLong);
    multiply(0);
    multigrid(0);
    solve(iterations, true);
    for (const bool preconditioned : {false, true}) {
      for (int i = 0; i < 2; ++i) solve(preconditioned ? 2 : 11, preconditioned);
    }
    check_symmetry();
    solve(iterations, true);
    sum();
    solve(iterations, true);
    for (int i = 0; i < 3; ++i) sum();
    add(Step::kFinalize);
  }

 private:
  void add(Step step, int level = 0) { plan_.phases.push_back({.step = step, .level = static_cast<uint8_t>(level)}); }
  void add(const Computation& computation) {
    if (computation.alone > Time::zero()) plan_.phases.push_back({.step = Step::kCompute, .computation = computation});
  }
  void compute(double flops, double bytes) { add(host_.compute(flops, bytes)); }
  // All rows of a level, so many times.
  void add_rows(int times, int level) {
    add(host_.compute_sums(times * kRowFlops * points(level), times * kRowBytes * points(level)));
  }
  double points(int level) const { return points_ / static_cast<double>(1u << (3 * level)); }

  // A sparse matrix times a vector.
  void multiply(int level) {
    add(Step::kExchange, level);
    add_rows(1, level);
  }
  // A symmetric Gauss-Seidel step: forward and back.
  void smooth(int level) {
    add(Step::kExchange, level);
    add_rows(2, level);
  }
  void dot() {
    compute(2 * points_, 16 * points_);
    sum();
  }
  void sum() { add(Step::kSum); }
  void add_vectors() { compute(3 * points_, 24 * points_); }

  void multigrid(int level) {
    smooth(level);
    if (level == kLevels - 1) return;
    multiply(level);
    compute(points(level + 1), 32 * points(level + 1));
    multigrid(level + 1);
    compute(points(level + 1), 32 * points(level + 1));
    smooth(level);
  }

  void solve(uint32_t iterations, bool preconditioned) {
    multiply(0);
    add_vectors();
    dot();
    for (uint32_t i = 0; i < iterations; ++i) {
      if (preconditioned) multigrid(0);
      dot();
      add_vectors();
      multiply(0);
      dot();
      add_vectors();
      add_vectors();
      dot();
    }
  }

  // Are matrix and preconditioner symmetric?
  void check_symmetry() {
    dot();
    multiply(0);
    dot();
    dot();
    multiply(0);
    dot();
    for (int i = 0; i < 2; ++i) {
      multigrid(0);
      dot();
    }
    for (int i = 0; i < 2; ++i) {
      multiply(0);
      sum();
    }
  }

  const HostProfile host_;
  Plan& plan_;
  double points_ = 0;
};

/// The events of one rank.
class HpcgRank final : public EventSource {
 public:
  HpcgRank(std::shared_ptr<const Hpcg::Plan> plan, uint32_t rank) : plan_(std::move(plan)) {
    const Extent& grid = plan_->grid;
    const std::array<int64_t, 3> at = {rank % grid[0], rank / grid[0] % grid[1], rank / (grid[0] * grid[1])};
    for (int dz = -1; dz <= 1; ++dz) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) add_neighbour(at, {dx, dy, dz});
      }
    }
  }

  absl::StatusOr<bool> next(TraceEvent& event) override {
    while (phase_ < plan_->phases.size()) {
      const Hpcg::Phase& phase = plan_->phases[phase_];
      if (phase.step == Hpcg::Step::kExchange) {
        const uint32_t neighbours = static_cast<uint32_t>(neighbours_.size());
        if (in_exchange_ < 3 * neighbours) {
          const auto count = [&](uint32_t i) { return uint64_t{neighbours_[i].counts[phase.level]}; };
          exchange_event(
              in_exchange_++, neighbours, kTag, v1::DOUBLE, [&](uint32_t i) { return neighbours_[i].rank; }, count,
              count, event);
          return true;
        }
        in_exchange_ = 0;
        ++phase_;
        continue;
      }
      ++phase_;
      make_event(phase, event);
      return true;
    }
    return false;
  }

 private:
  struct Neighbour {
    int32_t rank = 0;
    std::array<uint32_t, Hpcg::kLevels> counts{};
  };

  void add_neighbour(const std::array<int64_t, 3>& at, const std::array<int64_t, 3>& offset) {
    if (offset == std::array<int64_t, 3>{}) return;
    Neighbour neighbour;
    int64_t rank = 0;
    int64_t stride = 1;
    for (int i = 0; i < 3; ++i) {
      const int64_t place = at[i] + offset[i];
      if (place < 0 || place >= plan_->grid[i]) return;
      rank += place * stride;
      stride *= plan_->grid[i];
    }
    neighbour.rank = static_cast<int32_t>(rank);
    for (int level = 0; level < Hpcg::kLevels; ++level) {
      uint32_t count = 1;
      for (int i = 0; i < 3; ++i) count *= offset[i] == 0 ? plan_->local[i] >> level : 1;
      neighbour.counts[level] = count;
    }
    neighbours_.push_back(neighbour);
  }

  static void make_event(const Hpcg::Phase& phase, TraceEvent& event) {
    switch (phase.step) {
      case Hpcg::Step::kInit:
        return clear_event(event, v1::INIT);
      case Hpcg::Step::kFinalize:
        return clear_event(event, v1::FINALIZE);
      case Hpcg::Step::kCompute:
        clear_event(event, v1::COMPUTE);
        event.duration = phase.computation.alone;
        event.count = phase.computation.bytes;
        return;
      default:
        clear_event(event, v1::ALLREDUCE);
        event.count = 1;
        event.datatype = phase.step == Hpcg::Step::kSumLong ? v1::LONG_LONG : v1::DOUBLE;
    }
  }

  std::shared_ptr<const Hpcg::Plan> plan_;
  std::vector<Neighbour> neighbours_;
  size_t phase_ = 0;
  uint32_t in_exchange_ = 0;
};

Extent Hpcg::default_grid(uint32_t ranks) {
  const uint32_t k = static_cast<uint32_t>(std::countr_zero(ranks));
  return {1u << (k / 3 + (k % 3 >= 1 ? 1 : 0)), 1u << (k / 3 + (k % 3 == 2 ? 1 : 0)), 1u << (k / 3)};
}

absl::StatusOr<std::shared_ptr<const Hpcg>> Hpcg::create(const HpcgOptions& options) {
  if (options.ranks == 0 || options.ranks > kMaxRanks)
    return absl::InvalidArgumentError(fmt::format("HPCG runs on 1 to {} ranks, not {}", kMaxRanks, options.ranks));
  for (int i = 0; i < 3; ++i) {
    const uint32_t extent = options.local[i];
    if (extent == 0 || extent % 8 != 0 || extent > 4096) {
      return absl::InvalidArgumentError(
          fmt::format("the local box {} has {} points in {}: HPCG halves it three times, so it must be a multiple "
                      "of 8, at most 4096",
                      to_string(options.local), extent, "xyz"[i]));
    }
  }
  if (options.reference_iterations == 0 || options.reference_iterations > kMaxIterations) {
    return absl::InvalidArgumentError(fmt::format("the number of reference iterations must be 1 to {}, not {}",
                                                  kMaxIterations, options.reference_iterations));
  }
  if (!options.grid && !std::has_single_bit(options.ranks)) {
    return absl::InvalidArgumentError(
        fmt::format("{} ranks are not a power of two, for which HPCG's own grid of ranks is known; try {}, or give the "
                    "grid of ranks (grid: \"PXxPYxPZ\" in an experiment, --grid PXxPYxPZ of `trace generate`)",
                    options.ranks, std::bit_floor(options.ranks)));
  }
  const Extent grid = options.grid.value_or(default_grid(options.ranks));
  if (uint64_t{grid[0]} * grid[1] > kMaxRanks || uint64_t{grid[0]} * grid[1] * grid[2] != options.ranks) {
    return absl::InvalidArgumentError(
        fmt::format("a grid of {} ranks does not have {} ranks", to_string(grid), options.ranks));
  }
  auto plan = std::make_shared<Plan>();
  plan->grid = grid;
  plan->local = options.local;
  PlanBuilder(options, *plan).run(options.reference_iterations);
  TraceInfo info;
  info.ranks = options.ranks;
  info.application = fmt::format("hpcg-{}", options.ranks);
  info.source = fmt::format("skeleton: HPCG, local box {}, {} reference iterations, host {}", to_string(options.local),
                            options.reference_iterations, options.host.name);
  return std::shared_ptr<const Hpcg>(new Hpcg(std::move(info), std::move(plan)));
}

std::unique_ptr<EventSource> Hpcg::rank(uint32_t rank) const { return std::make_unique<HpcgRank>(plan_, rank); }

}  // namespace fabrictwin

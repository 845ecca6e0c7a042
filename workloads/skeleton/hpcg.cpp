// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/hpcg.h"

#include <limits>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "workloads/skeleton/halo_exchange.h"

namespace fabrictwin::skeleton {
namespace {

constexpr int32_t kTag = 99;
constexpr uint32_t kMaxIterations = 100'000;
// A row has 27 entries of a value and a column, and its elements of the vectors.
constexpr double kRowFlops = 2.0 * 27;
constexpr double kRowBytes = 27.0 * 12 + 16;
// Bytes for generating the matrix: values, columns, and the map from global to local.
constexpr double kSetupBytes = 27.0 * (12 + 8 + 16) * 4;

/// One prime factor of a number, and how often it occurs.
struct PrimePower {
  uint32_t prime = 0;
  uint32_t count = 0;
};

/// The factors in ascending order of the primes; none for 1.
std::vector<PrimePower> prime_powers(uint32_t number) {
  std::vector<PrimePower> powers;
  for (uint32_t prime = 2; number > 1; ++prime) {
    if (uint64_t{prime} * prime > number) prime = number;
    if (number % prime != 0) continue;
    PrimePower& power = powers.emplace_back(PrimePower{.prime = prime});
    for (; number % prime == 0; number /= prime) ++power.count;
  }
  return powers;
}

uint32_t power(uint32_t base, uint32_t exponent) {
  uint32_t product = 1;
  for (uint32_t i = 0; i < exponent; ++i) product *= base;
  return product;
}

/// All divisors in the order of HPCG's search: the power of the least prime changes fastest.
std::vector<uint32_t> divisors_in_order(const std::vector<PrimePower>& powers) {
  std::vector<uint32_t> divisors = {1};
  for (const PrimePower& each : powers) {
    const size_t before = divisors.size();
    for (uint32_t i = 1; i <= each.count; ++i) {
      for (size_t k = 0; k < before; ++k) divisors.push_back(divisors[k] * power(each.prime, i));
    }
  }
  return divisors;
}

}  // namespace

/// Lists what all ranks do in HPCG's main().
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
  // Adds all rows of a level, `times` times.
  void add_rows(int times, int level) {
    add(host_.compute_sums(times * kRowFlops * points(level), times * kRowBytes * points(level)));
  }
  double points(int level) const { return points_ / static_cast<double>(1u << (3 * level)); }

  // Adds a product of a sparse matrix and a vector.
  void multiply(int level) {
    add(Step::kExchange, level);
    add_rows(1, level);
  }
  // Adds a symmetric Gauss-Seidel step: forward and back.
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

  // Adds the test that matrix and preconditioner are symmetric.
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
class HpcgRank final : public trace::format::EventSource {
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

  absl::StatusOr<bool> next(trace::format::Event& event) override {
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
      const int64_t coordinate = at[i] + offset[i];
      if (coordinate < 0 || coordinate >= plan_->grid[i]) return;
      rank += coordinate * stride;
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

  static void make_event(const Hpcg::Phase& phase, trace::format::Event& event) {
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
  const std::vector<PrimePower> powers = prime_powers(ranks);
  if (powers.empty()) return {1, 1, 1};
  if (powers.size() == 1) {
    const auto [prime, count] = powers[0];
    return {power(prime, (count + 2) / 3), power(prime, (count + 1) / 3), power(prime, count / 3)};
  }
  uint32_t factors = 0;
  for (const PrimePower& each : powers) factors += each.count;
  // Up to three prime factors are the extents themselves, whatever their surface.
  if (factors <= 3) {
    const uint32_t x = powers[0].prime;
    const uint32_t y = powers[1].prime;
    return {x, y, ranks / x / y};
  }
  const std::vector<uint32_t> divisors = divisors_in_order(powers);
  Extent best{};
  uint64_t least = std::numeric_limits<uint64_t>::max();
  // HPCG never tries 1 for x or y, and the first of equal surfaces stays.
  for (const uint32_t x : divisors) {
    if (x == 1) continue;
    for (const uint32_t y : divisors) {
      if (y == 1 || ranks / x % y != 0) continue;
      const uint32_t z = ranks / x / y;
      const uint64_t surface = uint64_t{x} * y + uint64_t{y} * z + uint64_t{x} * z;
      if (surface >= least) continue;
      least = surface;
      best = {x, y, z};
    }
  }
  return best;
}

absl::StatusOr<std::shared_ptr<const Hpcg>> Hpcg::create(const HpcgOptions& options) {
  if (options.ranks == 0 || options.ranks > trace::format::kMaxRanks)
    return absl::InvalidArgumentError(
        fmt::format("HPCG runs on 1 to {} ranks, not {}", trace::format::kMaxRanks, options.ranks));
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
  const Extent grid = options.grid.value_or(default_grid(options.ranks));
  if (uint64_t{grid[0]} * grid[1] > trace::format::kMaxRanks ||
      uint64_t{grid[0]} * grid[1] * grid[2] != options.ranks) {
    return absl::InvalidArgumentError(
        fmt::format("a grid of {} ranks does not have {} ranks", to_string(grid), options.ranks));
  }
  auto plan = std::make_shared<Plan>();
  plan->grid = grid;
  plan->local = options.local;
  PlanBuilder(options, *plan).run(options.reference_iterations);
  trace::format::Info info;
  info.ranks = options.ranks;
  info.application = fmt::format("hpcg-{}", options.ranks);
  info.source = fmt::format("skeleton: HPCG, local box {}, {} reference iterations, host {}", to_string(options.local),
                            options.reference_iterations, options.host.name);
  return std::shared_ptr<const Hpcg>(new Hpcg(std::move(info), std::move(plan)));
}

std::unique_ptr<trace::format::EventSource> Hpcg::rank(uint32_t rank) const {
  return std::make_unique<HpcgRank>(plan_, rank);
}

}  // namespace fabrictwin::skeleton

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/lammps/chain.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fmt/format.h"
#include "workloads/skeleton/batched_events.h"
#include "workloads/skeleton/event_list.h"
#include "workloads/skeleton/lammps/chain_input.h"

namespace fabrictwin::skeleton::lammps {
namespace {

// From data.chain: 320 chains of 100 atoms in a cube, in units of sigma.
constexpr uint64_t kAtoms = 32000;
constexpr double kEdge = 33.592;
constexpr double kDensity = kAtoms / (kEdge * kEdge * kEdge);
constexpr double kBondsPerAtom = 0.99;
constexpr double kBondLength = 0.97;
constexpr double kCutoff = 1.52;  // 1.12 and a skin of 0.4.
constexpr double kTimeStep = 0.012;
constexpr uint32_t kReportSteps = 100;
constexpr uint64_t kMaxCopies = 1u << 25;
constexpr uint64_t kBorderDoubles = 7;
// Doubles for an atom that moves to another rank, and for one in `replicate`; a bond belongs to one of its atoms, but
// both know the other.
constexpr double kExchangeDoubles = 16 + 4 * kBondsPerAtom;
constexpr double kReplicateDoubles = 13 + 2 * kBondsPerAtom;
// Bonds of random directions across a square sigma of border, and the bytes of a query for the atom on the other side.
constexpr double kBondsPerSquare = kDensity * kBondsPerAtom * kBondLength / 2;
constexpr double kSearchBytes = 8;
// Movement of atoms between rebuilds, as a share of that without forces, at a temperature of 1; measured.
constexpr double kFreeFlight = 0.92;

// Work of an atom, calibrated on one rank: 4.87 pairs in its half list and 0.99 bonds; the first half of a step; the
// Langevin thermostat with its three random numbers and the second half; the 23 atoms in half of the bins around.
constexpr double kForceFlops = 4.87 * 37 + kBondsPerAtom * 56;
constexpr double kForceBytes = 4.87 * 52 + kBondsPerAtom * 108;
constexpr double kStartFlops = 35;
constexpr double kStartBytes = 96;
constexpr double kFinishFlops = 203;
constexpr double kFinishBytes = 96;
constexpr double kListFlops = 23 * 102;
constexpr double kListBytes = 23 * 28;

// The number of copies in each dimension: least surface, x first.
Extent copies_of(uint64_t copies) {
  Extent best{};
  uint64_t least = ~uint64_t{0};
  for (uint64_t z = 1; z * z * z <= copies; ++z) {
    if (copies % z != 0) continue;
    const uint64_t layer = copies / z;
    for (uint64_t y = z; y * y <= layer; ++y) {
      if (layer % y != 0) continue;
      const uint64_t x = layer / y;
      const uint64_t surface = x * y + x * z + y * z;
      if (surface >= least) continue;
      least = surface;
      best = {static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(z)};
    }
  }
  return best;
}

}  // namespace

/// The events of one rank, generated a step or a broadcast at a time, as many ranks are read concurrently.
class LammpsChainRank final : public BatchedEvents {
 public:
  LammpsChainRank(std::shared_ptr<const Chain::Plan> plan, uint32_t rank)
      : plan_(std::move(plan)), halo_(plan_->grid, rank) {
    const ChainOptions& options = plan_->options;
    const double atoms = static_cast<double>(options.atoms) / options.ranks;
    force_ = options.host.compute(kForceFlops * atoms, kForceBytes * atoms);
    start_ = options.host.compute(kStartFlops * atoms, kStartBytes * atoms);
    finish_ = options.host.compute(kFinishFlops * atoms, kFinishBytes * atoms);
    list_ = options.host.compute(kListFlops * atoms, kListBytes * atoms);
  }

 protected:
  bool refill(std::vector<trace::format::Event>& batch) override {
    EventList list(batch);
    switch (stage_) {
      case Stage::kRead:
        read(list);
        return true;
      case Stage::kReplicate:
        replicate(list);
        return true;
      case Stage::kSetUp:
        set_up(list);
        return true;
      case Stage::kRun:
        advance(list, ++step_);
        if (step_ == plan_->options.steps) stage_ = Stage::kFinish;
        return true;
      case Stage::kFinish:
        list.script(chain::kEnd);
        list.call(v1::FINALIZE);
        stage_ = Stage::kDone;
        return true;
      case Stage::kDone:
        break;
    }
    return false;
  }

 private:
  enum class Stage : uint8_t { kRead, kReplicate, kSetUp, kRun, kFinish, kDone };

  void read(EventList& list) {
    const bool copies = plan_->options.atoms > kAtoms;
    const std::array<double, 3> box = {kEdge, kEdge, kEdge};
    list.call(v1::INIT);
    list.script(copies ? chain::kScaledInput : chain::kInput);
    list.script(chain::kData);
    find_bonded(list, Grid(plan_->options.ranks, box), box, kAtoms);
    stage_ = copies ? Stage::kReplicate : Stage::kSetUp;
    if (copies) list.script(chain::kReplicate);
  }

  // One rank after the other sends its atoms to all others, which keep the copies that are theirs.
  void replicate(EventList& list) {
    const uint32_t ranks = plan_->options.ranks;
    const double doubles = kReplicateDoubles * kAtoms / ranks;
    list.collective(v1::BCAST, 1, v1::INT, static_cast<int32_t>(root_));
    list.collective(v1::BCAST, static_cast<uint64_t>(std::llround(doubles)), v1::DOUBLE, static_cast<int32_t>(root_));
    if (++root_ < ranks) return;
    list.script(chain::kAfterReplicate);
    find_bonded(list, plan_->grid, plan_->edges, plan_->options.atoms);
    stage_ = Stage::kSetUp;
  }

  void set_up(EventList& list) {
    list.script(chain::kSettings);
    make_lists(list, 0);
    halo_.forward(list, plan_->slabs);
    list.script(chain::kAfterGhosts);
    list.compute(force_);
    halo_.reverse(list, plan_->slabs);
    list.script(chain::kAfterForces);
    list.script(chain::kOutput);
    list.script("|");
    stage_ = Stage::kRun;
  }

  // Uses a third rank as directory: all atoms report where they are; those with a partner elsewhere query it and get a
  // reply.
  void find_bonded(EventList& list, const Grid& grid, const std::array<double, 3>& edges, uint64_t atoms) const {
    double border = 0;
    for (int i = 0; i < 3; ++i) {
      const uint32_t ranks = grid.extent()[i];
      border += ranks == 1 ? 0 : ranks * edges[(i + 1) % 3] * edges[(i + 2) % 3];
    }
    const double pairs = static_cast<double>(plan_->options.ranks) * plan_->options.ranks;
    const auto search = [&](double bytes) {
      list.script(chain::kBeforeSearch);
      list.alltoallv(plan_->options.ranks, static_cast<uint64_t>(std::llround(bytes / pairs)), v1::CHAR);
    };
    search(8.0 * static_cast<double>(atoms));
    search(kSearchBytes * kBondsPerSquare * border);
    search(kSearchBytes * kBondsPerSquare * border);
    list.script(chain::kAfterSearch);
  }

  // Rebuilds the lists, `steps` after the previous time.
  void make_lists(EventList& list, uint32_t steps) const {
    const ChainOptions& options = plan_->options;
    // Half of a normal distribution of displacements, on both sides of the box.
    const double distance = kFreeFlight * kTimeStep * steps / std::sqrt(2 * M_PI);
    for (int dimension = 0; dimension < 3; ++dimension) {
      double atoms = 2 * kDensity * distance;
      for (int i = 0; i < 3; ++i) atoms *= i == dimension ? 1 : plan_->edges[i] / plan_->grid.extent()[i];
      atoms = std::min(atoms, static_cast<double>(options.atoms) / options.ranks);
      halo_.exchange(list, dimension, static_cast<uint64_t>(std::llround(kExchangeDoubles * atoms)));
    }
    halo_.borders(list, plan_->slabs, kBorderDoubles);
    list.compute(list_);
  }

  void advance(EventList& list, uint32_t step) const {
    const ChainOptions& options = plan_->options;
    list.compute(start_);
    // Tests whether any atom has moved by half the skin.
    list.script("A1i");
    if (step % options.rebuild_steps == 0) {
      make_lists(list, options.rebuild_steps);
      list.script("A1i");
    } else {
      halo_.forward(list, plan_->slabs);
    }
    list.compute(force_);
    halo_.reverse(list, plan_->slabs);
    list.compute(finish_);
    if (step == options.steps || step % kReportSteps == 0) list.script(chain::kOutput);
  }

  std::shared_ptr<const Chain::Plan> plan_;
  Halo halo_;
  Computation force_;
  Computation start_;
  Computation finish_;
  Computation list_;
  Stage stage_ = Stage::kRead;
  uint32_t root_ = 0;
  uint32_t step_ = 0;
};

absl::StatusOr<std::shared_ptr<const Chain>> Chain::create(const ChainOptions& options) {
  if (absl::Status status = check_run(options); !status.ok()) return status;
  const uint64_t copies =
      std::clamp<uint64_t>(options.atoms / kAtoms + (options.atoms % kAtoms >= kAtoms / 2 ? 1 : 0), 1, kMaxCopies);
  if (options.atoms != copies * kAtoms) {
    return absl::InvalidArgumentError(
        fmt::format("the benchmark reads a box of {} atoms and makes whole copies of it, at most {}: {} atoms are no "
                    "multiple of {}; next to it is {}",
                    kAtoms, kMaxCopies, options.atoms, kAtoms, copies * kAtoms));
  }
  if (options.rebuild_steps == 0 || options.rebuild_steps > kMaxLammpsSteps) {
    return absl::InvalidArgumentError(
        fmt::format("the steps from one rebuild of neighbour lists to the next must be 1 to {}, not {}",
                    kMaxLammpsSteps, options.rebuild_steps));
  }
  const Extent box = copies_of(copies);
  const std::array<double, 3> edges = {kEdge * box[0], kEdge * box[1], kEdge * box[2]};
  const Grid grid(options.ranks, edges);
  if (absl::Status status = check_ghosts(options, grid, edges, kCutoff, ""); !status.ok()) return status;
  auto plan = std::make_shared<const Plan>(Plan{options, box, edges, grid, FluidSlabs(grid, edges, kDensity, kCutoff)});
  trace::format::Info info;
  info.ranks = options.ranks;
  info.application = fmt::format("lammps-chain-{}", options.ranks);
  info.source = fmt::format("skeleton: LAMMPS in.chain, {} atoms, {} steps, lists every {} steps, host {}",
                            options.atoms, options.steps, options.rebuild_steps, options.host.name);
  return std::shared_ptr<const Chain>(new Chain(std::move(info), std::move(plan)));
}

std::unique_ptr<trace::format::EventSource> Chain::rank(uint32_t rank) const {
  return std::make_unique<LammpsChainRank>(plan_, rank);
}

}  // namespace fabrictwin::skeleton::lammps

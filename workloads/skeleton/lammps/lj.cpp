// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/lammps/lj.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "fmt/format.h"
#include "workloads/skeleton/batched_events.h"
#include "workloads/skeleton/event_list.h"

namespace fabrictwin::skeleton::lammps {
namespace {

constexpr double kDensity = 0.8442;
constexpr double kCutoff = 2.8;  // 2.5 and a skin of 0.3.
constexpr uint32_t kRebuildSteps = 20;
constexpr uint32_t kMaxCells = 10'000;
// The displacement of atoms from lattice points when lists are rebuilt, in units of sigma.
constexpr double kBlur = 0.05;
// Doubles that describe an atom that moves to another rank, or that becomes a ghost.
constexpr uint64_t kExchangeDoubles = 11;
constexpr uint64_t kBorderDoubles = 6;
// Share of the atoms of a plane on a border that change sides per direction at the first rebuild, and at later ones.
constexpr double kFirstMoves = 0.25;
constexpr double kLaterMoves = 0.11;
// A pair of the half neighbour list (39 an atom): operations, calibrated; position and force of the other atom.
constexpr double kForceFlops = 39.0 * 32;
constexpr double kForceBytes = 39.0 * 52;
constexpr double kMoveFlops = 18;
constexpr double kMoveBytes = 96;
// Building a list visits all atoms of the 27 bins around.
constexpr double kListFlops = 27 * 18.6 * 8;
constexpr double kListBytes = 27 * 18.6 * 8;

// The calls that read the input up to `run`, then the set-up of the run around the first exchange.
constexpr std::string_view kBefore =
    "24 1 19*3 1 24*3 1 10 18 1 20 42 17 19 | A1i A1l A1i A1l S1l A1i*2 | 12 1 41 A1i A1l*2 A1d A3d A1d 1 22 27 1 17 "
    "39 "
    "1 15 1 7 A1i*2";
constexpr std::string_view kAfterSetup = "A1l R1d*3 A2l A1d*2 A3d A1d |";
constexpr std::string_view kEnd =
    "A2l A1d*2 A3d A1d | A1l A1d*28 A1i A1d*3 A10i A1i A1d*3 A10i A1i A1d*3 A10i A1d B1i |";

}  // namespace

/// The events of one rank, generated a step at a time.
class LammpsLjRank final : public BatchedEvents {
 public:
  LammpsLjRank(std::shared_ptr<const Lj::Plan> plan, uint32_t rank) : plan_(std::move(plan)), halo_(plan_->grid, rank) {
    const Options& options = plan_->options;
    const double atoms = static_cast<double>(options.atoms) / options.ranks;
    force_ = options.host.compute(kForceFlops * atoms, kForceBytes * atoms);
    move_ = options.host.compute(kMoveFlops * atoms, kMoveBytes * atoms);
    list_ = options.host.compute(kListFlops * atoms, kListBytes * atoms);
  }

 protected:
  bool refill(std::vector<trace::format::Event>& batch) override {
    EventList list(batch);
    const uint32_t step = step_++;
    if (step == 0) {
      list.call(v1::INIT);
      list.script(kBefore);
      make_lists(list, plan_->crystal, 0);
      list.compute(force_);
      halo_.reverse(list, plan_->crystal);
      list.script(kAfterSetup);
      return true;
    }
    if (step <= plan_->options.steps) {
      advance(list, step);
      return true;
    }
    if (step > plan_->options.steps + 1) return false;
    list.script(kEnd);
    list.call(v1::FINALIZE);
    return true;
  }

 private:
  void advance(EventList& list, uint32_t step) {
    const LatticeSlabs& slabs = step < kRebuildSteps ? plan_->crystal : plan_->later;
    list.compute(move_);
    if (step % kRebuildSteps == 0) {
      make_lists(list, slabs, step == kRebuildSteps ? kFirstMoves : kLaterMoves);
    } else {
      halo_.forward(list, slabs);
    }
    list.compute(force_);
    halo_.reverse(list, slabs);
    list.compute(move_);
  }

  void make_lists(EventList& list, const LatticeSlabs& slabs, double moves) const {
    for (int dimension = 0; dimension < 3; ++dimension) {
      // Boxes in a row have the same cross-section.
      const double atoms = 2 * moves * slabs.plane_atoms(halo_.coordinates(), dimension);
      halo_.exchange(list, dimension, kExchangeDoubles * static_cast<uint64_t>(std::llround(atoms)));
    }
    halo_.borders(list, slabs, kBorderDoubles);
    list.compute(list_);
  }

  std::shared_ptr<const Lj::Plan> plan_;
  Halo halo_;
  Computation force_;
  Computation move_;
  Computation list_;
  uint32_t step_ = 0;
};

absl::StatusOr<std::shared_ptr<const Lj>> Lj::create(const Options& options) {
  if (absl::Status status = check_run(options); !status.ok()) return status;
  const double cube = std::cbrt(static_cast<double>(options.atoms) / 4);
  const uint32_t cells = cube < kMaxCells ? std::max(1u, static_cast<uint32_t>(std::lround(cube))) : kMaxCells;
  const uint64_t atoms = 4 * uint64_t{cells} * cells * cells;
  if (options.atoms != atoms) {
    return absl::InvalidArgumentError(
        fmt::format("the benchmark makes a cube of whole cells of 4 atoms: {} atoms are not 4 n^3; next to it is {}",
                    options.atoms, atoms));
  }
  const double edge = std::pow(4.0 / kDensity, 1.0 / 3.0);
  const double length = edge * cells;
  const std::array<double, 3> edges = {length, length, length};
  const Grid grid(options.ranks, edges);
  if (absl::Status status = check_ghosts(options, grid, edges, kCutoff, ""); !status.ok()) return status;
  auto plan = std::make_shared<const Plan>(Plan{options, grid, LatticeSlabs(grid, cells, edge, kCutoff, 0),
                                                LatticeSlabs(grid, cells, edge, kCutoff, kBlur)});
  trace::format::Info info;
  info.ranks = options.ranks;
  info.application = fmt::format("lammps-lj-{}", options.ranks);
  info.source = fmt::format("skeleton: LAMMPS in.lj, {} atoms, {} steps, host {}", options.atoms, options.steps,
                            options.host.name);
  return std::shared_ptr<const Lj>(new Lj(std::move(info), std::move(plan)));
}

std::unique_ptr<trace::format::EventSource> Lj::rank(uint32_t rank) const {
  return std::make_unique<LammpsLjRank>(plan_, rank);
}

}  // namespace fabrictwin::skeleton::lammps

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/lammps/rhodo.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fmt/format.h"
#include "workloads/skeleton/batched_events.h"
#include "workloads/skeleton/lammps/rhodo_input.h"

namespace fabrictwin::skeleton::lammps {
namespace {

using Layout = PppmMesh::Layout;

// From data.rhodo: atoms, edges of the box in Angstrom, and the mesh that gives an accuracy of 1e-4.
constexpr double kAtoms = 32000;
constexpr std::array<double, 3> kEdges = {55.0, 77.0, 72.7261};
constexpr Extent kMesh = {25, 32, 32};
constexpr double kCutoff = 12;  // 10 and a skin of 2.
constexpr double kSlack = 1;    // Half the skin.
// Lists are checked from the fifth step after a rebuild; they were rebuilt in steps 10 and 18 of the recorded runs.
constexpr uint32_t kCheckAfter = 5;
constexpr uint32_t kFirstRebuild = 10;
constexpr uint32_t kLaterRebuilds = 8;
constexpr uint32_t kReportSteps = 50;
constexpr uint64_t kMaxAtoms = 1'000'000'000'000;
constexpr uint64_t kBorderDoubles = 8;
// Doubles of atoms that leave a box, for each square Angstrom of two opposite sides.
constexpr double kFirstExchange = 0.42;
constexpr double kLaterExchange = 0.38;
// Pairs within the cut-off in a half list, and the work for a pair (calibrated) and an atom.
constexpr double kPairs = 217;
constexpr double kPairFlops = 97;
constexpr double kAtomFlops = 2000;
// Bytes that a step moves for an atom: its list, its neighbours, itself (docs/models/skeletons.md#memory-of-rhodopsin).
constexpr double kAtomBytes = 4 * 376 + 1806 + 240;
constexpr double kListFactor = 1.5;
constexpr double kPointFlops = 5.0 * 15 * 4;

constexpr std::string_view kOutput = "A2l A1d*2 A3d A1d*6";

bool smooth(uint32_t n) {
  for (const uint32_t prime : {2u, 3u, 5u}) {
    while (n % prime == 0) n /= prime;
  }
  return n == 1;
}

}  // namespace

/// The events of one rank, generated a step at a time.
class LammpsRhodoRank final : public BatchedEvents {
 public:
  LammpsRhodoRank(std::shared_ptr<const Rhodo::Plan> plan, uint32_t rank)
      : plan_(std::move(plan)), rank_(rank), halo_(plan_->grid, rank) {
    const PppmMesh& mesh = plan_->mesh;
    to_slab_ = mesh.remap(Layout::kBrick, Layout::kSlab, rank);
    to_y_ = mesh.remap(Layout::kSlab, Layout::kPencilY, rank);
    to_z_ = mesh.remap(Layout::kPencilY, Layout::kPencilZ, rank);
    back_ = mesh.remap(Layout::kPencilZ, Layout::kSlab, rank);
    to_brick_ = mesh.remap(Layout::kPencilZ, Layout::kBrick, rank);
    const Options& options = plan_->options;
    const double atoms = static_cast<double>(options.atoms) / options.ranks;
    const double points = static_cast<double>(mesh.part(Layout::kBrick, rank).points());
    force_ = options.host.compute(atoms * (kPairs * kPairFlops + kAtomFlops), atoms * kAtomBytes);
    list_ = options.host.compute(kListFactor * atoms * kPairs * 8, kListFactor * atoms * kPairs * 16);
    transform_ = options.host.compute(points * kPointFlops, points * 16 * 6);
  }

 protected:
  bool refill(std::vector<trace::format::Event>& batch) override {
    EventList list(batch);
    const uint32_t step = step_++;
    if (step == 0) {
      set_up(list);
    } else if (step <= plan_->options.steps) {
      advance(list, step);
    } else if (step == plan_->options.steps + 1) {
      list.script(rhodo::kEnd);
      list.call(v1::FINALIZE);
    } else {
      return false;
    }
    return true;
  }

 private:
  void set_up(EventList& list) const {
    list.call(v1::INIT);
    list.script(rhodo::kInput);
    for (const rhodo::TopologyExchange& each : rhodo::kTopology) {
      list.script(each.before);
      exchange_topology(list, each);
    }
    list.script(rhodo::kAfterTopology);
    set_up_mesh(list);
    make_lists(list, 0);
    halo_.forward(list, plan_->slabs);
    list.script("A1i A1d A1i*5");
    long_range(list);
    list.script("A1d A6d");
    halo_.reverse(list, plan_->slabs);
    list.script("A1i A1l A1i A1l");
    for (int i = 0; i < 3; ++i) halo_.forward(list, plan_->slabs);
    list.script("A1d A6d*2 R1d*3");
    list.script(kOutput);
    list.script("|");
  }

  // Each rank sends as many queries and replies as any other.
  void exchange_topology(EventList& list, const rhodo::TopologyExchange& exchange) const {
    const Options& options = plan_->options;
    const std::array<double, 3>& edges = plan_->edges;
    double border = 0;
    for (int i = 0; i < 3; ++i) {
      const uint32_t ranks = plan_->grid.extent()[i];
      border += ranks == 1 ? 0 : ranks * edges[(i + 1) % 3] * edges[(i + 2) % 3];
    }
    const double bytes =
        exchange.bytes_per_atom * static_cast<double>(options.atoms) + exchange.bytes_per_square * border;
    const double pairs = static_cast<double>(options.ranks) * options.ranks;
    list.alltoallv(options.ranks, static_cast<uint64_t>(std::llround(bytes / pairs)), v1::CHAR);
  }

  // Neighbours tell each other how many ghost points they need, and that these suffice.
  void set_up_mesh(EventList& list) const {
    for (const bool last : {false, true}) {
      for (int dimension = 0; dimension < 3; ++dimension) {
        if (plan_->grid.extent()[dimension] == 1) continue;
        const int32_t below = neighbour(dimension, -1);
        const int32_t above = neighbour(dimension, 1);
        list.swap_int(below, above);
        if (last) list.script("A1i");
        list.swap_int(above, below);
        if (last) list.script("A1i");
      }
    }
    list.script("A1i*9");
  }

  int32_t neighbour(int dimension, int step) const {
    return static_cast<int32_t>(plan_->grid.rank(plan_->grid.neighbour(halo_.coordinates(), dimension, step)));
  }

  void make_lists(EventList& list, double doubles_per_square) const {
    for (int dimension = 0; dimension < 3; ++dimension) {
      double side = 1;
      for (int i = 0; i < 3; ++i) side *= i == dimension ? 1 : plan_->edges[i] / plan_->grid.extent()[i];
      halo_.exchange(list, dimension, static_cast<uint64_t>(std::llround(doubles_per_square * side)));
    }
    halo_.borders(list, plan_->slabs, kBorderDoubles);
    list.compute(list_);
  }

  static void remap(EventList& list, const PppmMesh::Remap& remap, uint64_t doubles) {
    for (const PppmMesh::Message& message : remap.receives) list.irecv(message.rank, doubles * message.points);
    for (const PppmMesh::Message& message : remap.sends) list.send(message.rank, doubles * message.points);
    for (const PppmMesh::Message& message : remap.receives) list.wait(message.rank);
  }

  // Spreads charges to the mesh, does one transform and three inverse ones, and interpolates the field at the atoms.
  void long_range(EventList& list) const {
    plan_->mesh.reverse(list, rank_);
    remap(list, to_slab_, 1);
    list.compute(transform_);
    remap(list, to_y_, 2);
    remap(list, to_z_, 2);
    remap(list, back_, 2);
    for (int i = 0; i < 3; ++i) {
      list.compute(transform_);
      remap(list, to_y_, 2);
      remap(list, to_z_, 2);
      remap(list, to_brick_, 2);
    }
    plan_->mesh.forward(list, rank_);
  }

  void advance(EventList& list, uint32_t step) {
    const bool output = step == plan_->options.steps || step % kReportSteps == 0;
    list.script("A6d*2");
    if (step >= last_rebuild_ + kCheckAfter) list.script("A1i");
    if (step == next_rebuild_) {
      make_lists(list, step == kFirstRebuild ? kFirstExchange : kLaterExchange);
      list.script("A1i*4");
      last_rebuild_ = step;
      next_rebuild_ = step + kLaterRebuilds;
    } else {
      halo_.forward(list, plan_->slabs);
    }
    list.compute(force_);
    long_range(list);
    list.script(output ? "A1d A6d" : "A6d");
    halo_.reverse(list, plan_->slabs);
    halo_.forward(list, plan_->slabs);
    list.script("A1d A6d*2");
    if (output) list.script(kOutput);
  }

  std::shared_ptr<const Rhodo::Plan> plan_;
  uint32_t rank_;
  Halo halo_;
  PppmMesh::Remap to_slab_;
  PppmMesh::Remap to_y_;
  PppmMesh::Remap to_z_;
  PppmMesh::Remap back_;
  PppmMesh::Remap to_brick_;
  Computation force_;
  Computation list_;
  Computation transform_;
  uint32_t step_ = 0;
  uint32_t last_rebuild_ = 0;
  uint32_t next_rebuild_ = kFirstRebuild;
};

absl::StatusOr<std::shared_ptr<const Rhodo>> Rhodo::create(const Options& options) {
  if (absl::Status status = check_run(options); !status.ok()) return status;
  if (options.atoms == 0 || options.atoms > kMaxAtoms) {
    return absl::InvalidArgumentError(
        fmt::format("the number of atoms must be 1 to {}, not {}", kMaxAtoms, options.atoms));
  }
  // Another number of atoms means a box of the same shape and density, with an equally fine mesh.
  const double scale = std::cbrt(static_cast<double>(options.atoms) / kAtoms);
  std::array<double, 3> edges{};
  Extent points{};
  for (int i = 0; i < 3; ++i) {
    edges[i] = kEdges[i] * scale;
    points[i] = std::max(2u, static_cast<uint32_t>(std::ceil(kMesh[i] * scale - 1e-9)));
    while (!smooth(points[i])) ++points[i];
  }
  const Grid grid(options.ranks, edges);
  if (absl::Status status = check_ghosts(options, grid, edges, kCutoff, " Angstrom"); !status.ok()) return status;
  const double density = kAtoms / (kEdges[0] * kEdges[1] * kEdges[2]);
  auto plan = std::make_shared<const Plan>(
      Plan{options, edges, grid, FluidSlabs(grid, edges, density, kCutoff), PppmMesh(grid, points, edges, kSlack)});
  if (absl::Status status = plan->mesh.check(); !status.ok()) return status;
  trace::format::Info info;
  info.ranks = options.ranks;
  info.application = fmt::format("lammps-rhodo-{}", options.ranks);
  info.source = fmt::format("skeleton: LAMMPS in.rhodo, {} atoms, mesh {}, {} steps, host {}", options.atoms,
                            to_string(points), options.steps, options.host.name);
  return std::shared_ptr<const Rhodo>(new Rhodo(std::move(info), std::move(plan)));
}

std::unique_ptr<trace::format::EventSource> Rhodo::rank(uint32_t rank) const {
  return std::make_unique<LammpsRhodoRank>(plan_, rank);
}

}  // namespace fabrictwin::skeleton::lammps

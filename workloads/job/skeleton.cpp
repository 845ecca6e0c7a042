// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job/skeleton.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "workloads/mpi/source_program.h"
#include "workloads/skeleton/hpcg.h"
#include "workloads/skeleton/lammps/chain.h"
#include "workloads/skeleton/lammps/lj.h"
#include "workloads/skeleton/lammps/rhodo.h"
#include "workloads/skeleton/minife.h"

namespace fabrictwin::job {
namespace {

using SourceOr = absl::StatusOr<std::shared_ptr<const trace::format::Source>>;

fabrictwin::skeleton::Extent extent_of(const std::array<int32_t, 3>& sizes) {
  return {static_cast<uint32_t>(sizes[0]), static_cast<uint32_t>(sizes[1]), static_cast<uint32_t>(sizes[2])};
}

SourceOr make(const HpcgSpec& spec, uint32_t ranks, const fabrictwin::skeleton::HostProfile& host) {
  fabrictwin::skeleton::HpcgOptions options;
  options.ranks = ranks;
  options.local = extent_of(spec.local);
  options.reference_iterations = static_cast<uint32_t>(spec.reference_iterations);
  if (spec.grid) options.grid = extent_of(*spec.grid);
  options.host = host;
  return fabrictwin::skeleton::Hpcg::create(options);
}

SourceOr make(const MinifeSpec& spec, uint32_t ranks, const fabrictwin::skeleton::HostProfile& host) {
  fabrictwin::skeleton::MinifeOptions options;
  options.ranks = ranks;
  options.elements = extent_of(spec.global);
  options.iterations = static_cast<uint32_t>(spec.iterations);
  options.host = host;
  return fabrictwin::skeleton::Minife::create(options);
}

SourceOr make(const LammpsSpec& spec, uint32_t ranks, const fabrictwin::skeleton::HostProfile& host) {
  fabrictwin::skeleton::lammps::ChainOptions options;
  options.ranks = ranks;
  options.atoms = static_cast<uint64_t>(spec.atoms);
  options.steps = static_cast<uint32_t>(spec.steps);
  options.rebuild_steps = static_cast<uint32_t>(spec.rebuild_steps);
  options.host = host;
  if (spec.problem == v1::Skeleton::kLammpsLj) return fabrictwin::skeleton::lammps::Lj::create(options);
  if (spec.problem == v1::Skeleton::kLammpsRhodo) return fabrictwin::skeleton::lammps::Rhodo::create(options);
  return fabrictwin::skeleton::lammps::Chain::create(options);
}

constexpr int32_t kMaxRanks = 1 << 24;
constexpr int32_t kMaxIterations = 1'000'000;

/// Reads an extent such as "16x16x32".
std::array<int32_t, 3> check_extent(std::string_view name, const std::string& text,
                                    const experiment::MessageReader& reader) {
  std::array<int32_t, 3> extent{1, 1, 1};
  const std::vector<std::string_view> parts = split(text, "x");
  bool sound = parts.size() == extent.size();
  for (size_t i = 0; sound && i < extent.size(); ++i) sound = parse_number(parts[i], extent[i]) && extent[i] > 0;
  if (sound) return extent;
  reader.complain_near(
      name, fmt::format("{} \"{}\": write three positive numbers, as in {}: \"16x16x16\"", name, text, name));
  return {1, 1, 1};
}

HpcgSpec check_hpcg(const v1::HpcgSkeleton& hpcg, const experiment::MessageReader& reader) {
  HpcgSpec spec;
  spec.local = check_extent("local", hpcg.local(), reader);
  if (reader.has("grid")) spec.grid = check_extent("grid", hpcg.grid(), reader);
  spec.reference_iterations = reader.number("reference_iterations", 1, kMaxIterations);
  return spec;
}

MinifeSpec check_minife(const v1::MinifeSkeleton& minife, const experiment::MessageReader& reader) {
  return {check_extent("global", minife.global(), reader), reader.number("iterations", 1, kMaxIterations)};
}

template <typename Message>
LammpsSpec check_lammps(const Message& lammps, v1::Skeleton::ApplicationCase problem,
                        const experiment::MessageReader& reader) {
  LammpsSpec spec;
  spec.problem = problem;
  spec.atoms = lammps.atoms();
  if (spec.atoms <= 0) {
    reader.complain_near("atoms",
                         fmt::format("atoms {}: write how many the whole problem has, as in atoms: 32000", spec.atoms));
  }
  spec.steps = reader.number("steps", 1, kMaxIterations);
  if (problem == v1::Skeleton::kLammpsChain) spec.rebuild_steps = reader.number("rebuild_steps", 1, kMaxIterations);
  return spec;
}

std::string text_of(const HpcgSpec& hpcg, int32_t ranks) {
  const std::string grid = hpcg.grid ? fmt::format(" ({})", fmt::join(*hpcg.grid, "x")) : "";
  return fmt::format("hpcg on {} ranks{}, {} points each, {} reference iterations", ranks, grid,
                     fmt::join(hpcg.local, "x"), hpcg.reference_iterations);
}

std::string text_of(const MinifeSpec& minife, int32_t ranks) {
  return fmt::format("minife on {} ranks, {} elements, {} iterations", ranks, fmt::join(minife.global, "x"),
                     minife.iterations);
}

std::string text_of(const LammpsSpec& lammps, int32_t ranks) {
  const char* const problem = lammps.problem == v1::Skeleton::kLammpsLj      ? "lj"
                              : lammps.problem == v1::Skeleton::kLammpsRhodo ? "rhodo"
                                                                             : "chain";
  return fmt::format("lammps {} on {} ranks, {} atoms, {} steps", problem, ranks, lammps.atoms, lammps.steps);
}

class Skeleton final : public mpi::JobKindOf<v1::Workload::kSkeleton, v1::Job::kSkeleton, v1::Skeleton, SkeletonSpec> {
 public:
  bool shares_memory() const override { return true; }

 private:
  SkeletonSpec check(v1::Skeleton& skeleton, const experiment::FileChecker& /*files*/,
                     const experiment::MessageReader& reader) const override {
    SkeletonSpec spec;
    spec.ranks = reader.required("ranks", kMaxRanks, "ranks: 512");
    const v1::Skeleton::ApplicationCase application = skeleton.application_case();
    switch (application) {
      case v1::Skeleton::kHpcg:
        spec.application = check_hpcg(skeleton.hpcg(), reader.of(skeleton.hpcg(), "hpcg"));
        break;
      case v1::Skeleton::kMinife:
        spec.application = check_minife(skeleton.minife(), reader.of(skeleton.minife(), "minife"));
        break;
      case v1::Skeleton::kLammpsLj:
        spec.application =
            check_lammps(skeleton.lammps_lj(), application, reader.of(skeleton.lammps_lj(), "lammps_lj"));
        break;
      case v1::Skeleton::kLammpsRhodo:
        spec.application =
            check_lammps(skeleton.lammps_rhodo(), application, reader.of(skeleton.lammps_rhodo(), "lammps_rhodo"));
        break;
      case v1::Skeleton::kLammpsChain:
        spec.application =
            check_lammps(skeleton.lammps_chain(), application, reader.of(skeleton.lammps_chain(), "lammps_chain"));
        break;
      case v1::Skeleton::APPLICATION_NOT_SET:
        reader.complain({},
                        "the skeleton has no application; write hpcg { local: \"16x16x16\" }, minife { ... }, "
                        "lammps_lj { ... }, lammps_rhodo { ... } or lammps_chain { ... } in it");
        break;
    }
    return spec;
  }
  std::string text(const SkeletonSpec& spec, const experiment::HostSpec& /*host*/) const override {
    return std::visit([&](const auto& application) { return text_of(application, spec.ranks); }, spec.application);
  }
  absl::StatusOr<std::unique_ptr<mpi::JobProgram>> make(const SkeletonSpec& spec, const experiment::HostSpec& host,
                                                        int64_t /*space*/) const override {
    absl::StatusOr<std::shared_ptr<const trace::format::Source>> source = make_skeleton(spec, host.profile);
    if (!source.ok()) return source.status();
    return std::make_unique<mpi::SourceProgram>(*std::move(source));
  }
};

}  // namespace

absl::StatusOr<std::shared_ptr<const trace::format::Source>> make_skeleton(const SkeletonSpec& spec,
                                                                           std::string_view host) {
  const absl::StatusOr<fabrictwin::skeleton::HostProfile> profile =
      fabrictwin::skeleton::find_host_profile(host.empty() ? "none" : host);
  if (!profile.ok()) return profile.status();
  return std::visit(
      [&](const auto& application) { return make(application, static_cast<uint32_t>(spec.ranks), *profile); },
      spec.application);
}

const mpi::JobKind& skeleton() {
  static const Skeleton kind;
  return kind;
}

}  // namespace fabrictwin::job

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job/skeleton_factory.h"

#include <variant>

#include "workloads/skeleton/hpcg.h"
#include "workloads/skeleton/lammps/chain.h"
#include "workloads/skeleton/lammps/lj.h"
#include "workloads/skeleton/lammps/rhodo.h"
#include "workloads/skeleton/minife.h"

namespace fabrictwin::job {
namespace {

using SourceOr = absl::StatusOr<std::shared_ptr<const trace::format::Source>>;

skeleton::Extent extent_of(const std::array<int32_t, 3>& sizes) {
  return {static_cast<uint32_t>(sizes[0]), static_cast<uint32_t>(sizes[1]), static_cast<uint32_t>(sizes[2])};
}

SourceOr make(const experiment::HpcgSpec& spec, uint32_t ranks, const skeleton::HostProfile& host) {
  skeleton::HpcgOptions options;
  options.ranks = ranks;
  options.local = extent_of(spec.local);
  options.reference_iterations = static_cast<uint32_t>(spec.reference_iterations);
  if (spec.grid) options.grid = extent_of(*spec.grid);
  options.host = host;
  return skeleton::Hpcg::create(options);
}

SourceOr make(const experiment::MinifeSpec& spec, uint32_t ranks, const skeleton::HostProfile& host) {
  skeleton::MinifeOptions options;
  options.ranks = ranks;
  options.elements = extent_of(spec.global);
  options.iterations = static_cast<uint32_t>(spec.iterations);
  options.host = host;
  return skeleton::Minife::create(options);
}

SourceOr make(const experiment::LammpsSpec& spec, uint32_t ranks, const skeleton::HostProfile& host) {
  skeleton::lammps::ChainOptions options;
  options.ranks = ranks;
  options.atoms = static_cast<uint64_t>(spec.atoms);
  options.steps = static_cast<uint32_t>(spec.steps);
  options.rebuild_steps = static_cast<uint32_t>(spec.rebuild_steps);
  options.host = host;
  if (spec.problem == v1::Skeleton::kLammpsLj) return skeleton::lammps::Lj::create(options);
  if (spec.problem == v1::Skeleton::kLammpsRhodo) return skeleton::lammps::Rhodo::create(options);
  return skeleton::lammps::Chain::create(options);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const trace::format::Source>> make_skeleton(const experiment::SkeletonSpec& spec,
                                                                           std::string_view host) {
  const absl::StatusOr<skeleton::HostProfile> profile = skeleton::find_host_profile(host.empty() ? "none" : host);
  if (!profile.ok()) return profile.status();
  return std::visit(
      [&](const auto& application) { return make(application, static_cast<uint32_t>(spec.ranks), *profile); },
      spec.application);
}

}  // namespace fabrictwin::job

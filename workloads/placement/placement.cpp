// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/placement/placement.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cosim/base/random.h"
#include "fmt/format.h"
#include "models/topology/lattice/tofu_virtual_torus.h"
#include "workloads/placement/check.h"
#include "workloads/placement/placement_file.h"
#include "workloads/placement/space_curve.h"

namespace fabrictwin::placement {
namespace {

/// Cores of an MPSoC (Cortex-A53).
constexpr int32_t kExanestCores = 4;

absl::Status wrong(const experiment::SourceLocation& location, const std::string& message) {
  return absl::InvalidArgumentError(experiment::format_diagnostic(location, message));
}

}  // namespace

int32_t most_ranks_on_host(const system::SystemGraph& graph) {
  return graph.has_nodes() ? kExanestCores : kMaxRanksPerHost;
}

absl::StatusOr<Placement> Placement::create(const PlacementSpec& spec, const PlacementSite& site) {
  Placement placement(spec);
  placement.topology_ = site.graph.topology;
  placement.most_on_host_ = most_ranks_on_host(site.graph);
  if (spec.ranks_per_host > placement.most_on_host_) {
    return wrong(spec.ranks_per_host_location,
                 fmt::format("ranks_per_host {}: an MPSoC has {} cores, and each rank has one of its own; "
                             "write at most {}",
                             spec.ranks_per_host, placement.most_on_host_, placement.most_on_host_));
  }
  absl::Status status;
  switch (spec.kind) {
    case v1::Placement::FROM_FILE: {
      absl::StatusOr<std::vector<int32_t>> hosts =
          read_placement(spec.file, site.graph.host_count(), spec.ranks_per_host);
      if (!hosts.ok()) return hosts.status();
      placement.hosts_ = *std::move(hosts);
      placement.space_ = static_cast<int64_t>(placement.hosts_.size());
      return placement;
    }
    case v1::Placement::VIRTUAL_TORUS:
      status = placement.find_virtual_torus(site);
      break;
    default:
      status = placement.find_hosts(site);
      if (status.ok() && spec.kind == v1::Placement::CURVE) status = placement.sort_on_curve(site.graph);
      if (status.ok() && spec.kind == v1::Placement::RANDOM) placement.shuffle(site.experiment.seed, site.job);
      break;
  }
  if (!status.ok()) return status;
  placement.space_ = static_cast<int64_t>(placement.hosts_.size()) * spec.ranks_per_host;
  return placement;
}

absl::Status Placement::find_hosts(const PlacementSite& site) {
  const int32_t count = site.graph.host_count();
  for (const auto& [first, last] : spec_.hosts) {
    if (last >= count) {
      return wrong(spec_.location, fmt::format("host {} does not exist: {} has {} hosts; write 0 to {}",
                                               std::max(first, count), site.graph.topology, count, count - 1));
    }
    for (int32_t host = first; host <= last; ++host) hosts_.push_back(host);
  }
  if (!spec_.hosts.empty()) return absl::OkStatus();
  for (int32_t host = 0; host < count; ++host) {
    if (site.taken.empty() || site.taken[static_cast<size_t>(host)] == 0) hosts_.push_back(host);
  }
  return absl::OkStatus();
}

absl::Status Placement::sort_on_curve(const system::SystemGraph& graph) {
  if (graph.dims.empty()) {
    return wrong(spec_.kind_location,
                 fmt::format("kind CURVE needs hosts at the points of a lattice, and {} is none; write BLOCK, or a "
                             "topology such as torus",
                             graph.topology));
  }
  const SpaceCurve curve(graph.dims);
  std::vector<std::pair<uint64_t, int32_t>> order;
  order.reserve(hosts_.size());
  for (const int32_t host : hosts_)
    order.emplace_back(curve.index_of(graph.elements[static_cast<size_t>(host)].coordinates), host);
  std::sort(order.begin(), order.end());
  std::transform(order.begin(), order.end(), hosts_.begin(), [](const auto& entry) { return entry.second; });
  return absl::OkStatus();
}

void Placement::shuffle(uint64_t seed, int32_t job) {
  RandomStream random(seed, static_cast<uint64_t>(job), RandomPurpose::kPlacement);
  for (size_t i = hosts_.size(); i > 1; --i) std::swap(hosts_[i - 1], hosts_[random.next_below(i)]);
}

absl::Status Placement::find_virtual_torus(const PlacementSite& site) {
  if (site.experiment.topology != v1::Topology::kTofu) {
    return wrong(
        spec_.kind_location,
        fmt::format("kind VIRTUAL_TORUS is for topology {{ tofu {{ }} }}, and this is {}; write CURVE or BLOCK",
                    site.graph.topology));
  }
  std::array<int32_t, 3> sizes =
      topology::lattice::TofuVirtualTorus(site.experiment.topology_as<topology::lattice::TofuSpec>()).dims();
  if (!spec_.virtual_torus.empty()) {
    const std::array<int32_t, 3> most = sizes;
    sizes = {1, 1, 1};
    for (size_t axis = 0; axis < spec_.virtual_torus.size(); ++axis) {
      const int32_t step = topology::lattice::TofuVirtualTorus::kWidths[axis];
      sizes[axis] = spec_.virtual_torus[axis];
      if (sizes[axis] == 1 || (sizes[axis] <= most[axis] && sizes[axis] % step == 0)) continue;
      return wrong(
          spec_.location,
          fmt::format("size {} of axis {} of the virtual torus: {} has rings of 1 and of multiples of {} up to "
                      "{} there; write one of these",
                      sizes[axis], axis, topology_, step, most[axis]));
    }
  }
  const topology::lattice::TofuVirtualTorus torus(site.experiment.topology_as<topology::lattice::TofuSpec>(), sizes);
  for (int32_t point = 0; point < torus.ranks(); ++point) hosts_.push_back(torus.host_of(point));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<int32_t>> Placement::hosts_of(int32_t ranks, const std::string& name) const {
  const bool from_file = spec_.kind == v1::Placement::FROM_FILE;
  if (from_file && ranks != space_) {
    return wrong(spec_.location, fmt::format("{} has {} ranks, and {} has the hosts of {}; write a line for each rank",
                                             name, ranks, spec_.file, space_));
  }
  if (ranks > space_) {
    const bool plain = spec_.kind == v1::Placement::BLOCK && spec_.ranks_per_host == 1 && spec_.hosts.empty();
    const std::string remedy =
        plain ? "rank i runs on host[i]: write a larger topology, or placement { ranks_per_host: 2 }"
              : fmt::format("{} each hold {} ranks: write more hosts{}", spec_.ranks_per_host, space_,
                            spec_.ranks_per_host < most_on_host_ ? ", or a larger ranks_per_host" : "");
    const std::string hosts =
        spec_.hosts.empty() ? fmt::format("{} has only {} hosts{}", topology_, hosts_.size(), plain ? "" : " for it")
                            : fmt::format("hosts names only {} hosts", hosts_.size());
    return wrong(spec_.location, fmt::format("{} has {} ranks, but {}; {}", name, ranks, hosts, remedy));
  }
  if (from_file) return hosts_;
  std::vector<int32_t> host_of(static_cast<size_t>(ranks));
  const int32_t used = (ranks + spec_.ranks_per_host - 1) / spec_.ranks_per_host;
  for (int32_t rank = 0; rank < ranks; ++rank) {
    const int32_t index = spec_.kind == v1::Placement::ROUND_ROBIN ? rank % used : rank / spec_.ranks_per_host;
    host_of[static_cast<size_t>(rank)] = hosts_[static_cast<size_t>(index)];
  }
  return host_of;
}

}  // namespace fabrictwin::placement

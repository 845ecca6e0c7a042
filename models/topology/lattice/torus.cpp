// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/lattice/torus.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "cosim/link/record.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "models/topology/lattice/lattice.h"
#include "models/topology/topology.h"

namespace fabrictwin::topology::lattice {
namespace {

using experiment::kMaxNodes;
using experiment::LinkSpec;

constexpr int32_t kMaxDims = 8;  // The packet header has a tie bit for each dimension.
constexpr int32_t kMaxHostsPerRouter = 32;
static_assert(2 * kMaxDims + kMaxHostsPerRouter <= experiment::kMaxRouterPorts);

void check_dims(const v1::Torus& torus, TorusSpec& spec, experiment::TopologyReader& reader) {
  spec.dims.assign(torus.dims().begin(), torus.dims().end());
  if (torus.dims().empty()) {
    reader.complain("",
                    "the torus has no dims; write the size in each dimension, X first, as in dims: 4 dims: 4 dims: 2");
    return;
  }
  if (torus.dims_size() > kMaxDims) {
    reader.complain(
        fmt::format("dims[{}]", kMaxDims),
        fmt::format("{} dims: a torus has at most {} dimensions, as the packet header has a direction bit for each",
                    torus.dims_size(), kMaxDims));
    return;
  }
  int64_t nodes = 1;
  bool good = true;
  for (int i = 0; i < torus.dims_size(); ++i) {
    if (torus.dims(i) < 1 || torus.dims(i) > kMaxSize) {
      reader.complain(fmt::format("dims[{}]", i),
                      fmt::format("dims {}: the size of a dimension is 1 to {}", torus.dims(i), kMaxSize));
      good = false;
    } else if (nodes <= kMaxNodes) {
      nodes *= torus.dims(i);
    }
  }
  if (good && nodes > kMaxNodes) {
    reader.complain(
        "dims[0]",
        fmt::format(
            "the torus has more than 2^24 = {} nodes, which is what the packet header can number; make it smaller",
            kMaxNodes));
  } else if (good && nodes * spec.hosts_per_router > kMaxNodes) {
    reader.complain("hosts_per_router",
                    fmt::format("{} routers with {} hosts each are more than 2^24 = {} hosts, which is what the packet "
                                "header can number; write {} or less",
                                nodes, spec.hosts_per_router, kMaxNodes, kMaxNodes / nodes));
  }
}

void check_wrap(const v1::Torus& torus, TorusSpec& spec, experiment::TopologyReader& reader) {
  spec.wrap.assign(spec.dims.size(), true);
  if (torus.wrap().empty()) return;
  if (torus.wrap_size() != 1 && torus.wrap_size() != torus.dims_size()) {
    reader.complain("wrap[0]",
                    fmt::format("{} values of wrap for {} dims; write one for each dimension, X first, or one for all",
                                torus.wrap_size(), torus.dims_size()));
    return;
  }
  for (size_t d = 0; d < spec.wrap.size(); ++d)
    spec.wrap[d] = torus.wrap(torus.wrap_size() == 1 ? 0 : static_cast<int>(d));
}

std::string name_of(const TorusSpec& torus) {
  const auto rings = std::count(torus.wrap.begin(), torus.wrap.end(), true);
  std::string name = fmt::format("{} {}", rings == 0 ? "mesh" : "torus", fmt::join(torus.dims, "x"));
  if (rings > 0 && rings < static_cast<int64_t>(torus.dims.size())) {
    name += " with lines in";
    for (size_t d = 0; d < torus.wrap.size(); ++d) {
      if (!torus.wrap[d]) name += " " + torus.layout().dimensions()[d].name;
    }
  }
  if (torus.hosts_per_router > 1) name += fmt::format(", {} hosts a router", torus.hosts_per_router);
  return name;
}

class Torus final : public TopologyOf<v1::Topology::kTorus, v1::Torus, TorusSpec> {
 public:
  system::TopologyFamily family() const override { return system::TopologyFamily::kLattice; }

 private:
  TorusSpec check(const v1::Torus& torus, const experiment::RouterSpec& router,
                  experiment::TopologyReader& reader) const override {
    TorusSpec spec;
    spec.hosts_per_router = reader.number("hosts_per_router", 1, kMaxHostsPerRouter);
    check_dims(torus, spec, reader);
    check_wrap(torus, spec, reader);
    // The default rate of input-queued routers is a flit per cycle.
    const std::string full =
        router.model == v1::INPUT_QUEUED ? fmt::format("{}bps", router.clock.hertz * link::kWordBits) : std::string();
    const LinkSpec link = reader.link("link", full);
    const LinkSpec tile = reader.link("tile", full);
    spec.link_rate = link.rate;
    spec.link_latency = link.latency;
    spec.tile_rate = tile.rate;
    spec.tile_latency = tile.latency;
    return spec;
  }
  absl::StatusOr<system::SystemGraph> build(const TorusSpec& spec,
                                            const experiment::Experiment& experiment) const override {
    return build_lattice(name_of(spec), spec.layout(), {spec.link_rate, spec.link_latency},
                         {spec.tile_rate, spec.tile_latency}, "tile", experiment);
  }
  double nodes(const TorusSpec& spec) const override { return 1.0 * spec.layout().routers() * spec.hosts_per_router; }
  double hosts_per_router(const TorusSpec& spec) const override { return spec.hosts_per_router; }
  bool routed_by_coordinates(const TorusSpec& spec) const override { return spec.plain(); }
};

}  // namespace

Layout TorusSpec::layout() const {
  constexpr std::string_view kNames = "xyzabc";
  std::vector<Layout::Dimension> dimensions;
  for (size_t d = 0; d < dims.size(); ++d) {
    dimensions.push_back({dims[d], d >= wrap.size() || wrap[d], false,
                          d < kNames.size() ? std::string(1, kNames[d]) : fmt::format("d{}", d)});
  }
  return {std::move(dimensions), hosts_per_router, 1};
}

bool TorusSpec::plain() const {
  return hosts_per_router == 1 && std::all_of(wrap.begin(), wrap.end(), [](bool ring) { return ring; });
}

const Topology& torus() {
  static const Torus topology;
  return topology;
}

}  // namespace fabrictwin::topology::lattice

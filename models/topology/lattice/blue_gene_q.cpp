// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The 5D torus of Blue Gene/Q: docs/models/topologies.md.
#include <cstdint>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "models/topology/lattice/lattice.h"
#include "models/topology/topology.h"

namespace fabrictwin::topology::lattice {
namespace {

constexpr size_t kDims = 4;

/// See BlueGeneQ in topology.proto.
struct BlueGeneQSpec {
  std::vector<int32_t> dims;  ///< Dimensions A to D.
  experiment::LinkSpec link;
  experiment::LinkSpec host;

  Layout layout() const {
    std::vector<Layout::Dimension> dimensions;
    for (const int32_t size : dims)
      dimensions.push_back({size, true, false, std::string(1, static_cast<char>('a' + dimensions.size()))});
    dimensions.push_back({2, true, false, "e"});
    return {std::move(dimensions), 1, 1};
  }
};

/// Positions are "a.b.c.d.e".
class BlueGeneQ final : public TopologyOf<v1::Topology::kBlueGeneQ, v1::BlueGeneQ, BlueGeneQSpec> {
 public:
  system::TopologyFamily family() const override { return system::TopologyFamily::kLattice; }

 private:
  BlueGeneQSpec check(const v1::BlueGeneQ& /*message*/, const experiment::RouterSpec& /*router*/,
                      experiment::TopologyReader& reader) const override {
    BlueGeneQSpec spec;
    spec.dims = reader.numbers("dims", 1, kMaxSize);
    if (spec.dims.size() != kDims) {
      reader.complain("dims[0]", fmt::format("{} dims: write the sizes of A, B, C and D, as in dims: [4, 4, 4, 4]; E "
                                             "is two in every machine",
                                             spec.dims.size()));
      spec.dims = {1, 1, 1, 1};
    }
    int64_t nodes = 2;
    for (const int32_t size : spec.dims) nodes *= size;
    reader.check_nodes("dims[0]", nodes, nodes);
    spec.link = reader.link("link");
    spec.host = reader.link("host");
    return spec;
  }
  absl::StatusOr<system::SystemGraph> build(const BlueGeneQSpec& spec,
                                            const experiment::Experiment& experiment) const override {
    return build_lattice(fmt::format("blue gene/q {}x2", fmt::join(spec.dims, "x")), spec.layout(), spec.link,
                         spec.host, "nic", experiment);
  }
  double nodes(const BlueGeneQSpec& spec) const override { return spec.layout().routers(); }
  double hosts_per_router(const BlueGeneQSpec& /*spec*/) const override { return 1; }
};

}  // namespace

const Topology& blue_gene_q() {
  static const BlueGeneQ topology;
  return topology;
}

}  // namespace fabrictwin::topology::lattice

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/lattice/tofu.h"

#include <string>
#include <string_view>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "models/topology/lattice/lattice.h"
#include "models/topology/topology.h"

namespace fabrictwin::topology::lattice {
namespace {

constexpr int32_t kUnit = 2 * 3 * 2;
constexpr int32_t kMaxTnis = 8;

/// The defaults of a generation: the rate of links and of TNIs, the number of TNIs, the clock (link rate / 128 bit).
struct Preset {
  std::string_view rate;
  int32_t tnis;
  std::string_view clock;
};

Preset preset(v1::TofuGeneration generation) {
  switch (generation) {
    case v1::TOFU:
      return {"40Gbps", 4, "312.5MHz"};
    case v1::TOFU2:
      return {"100Gbps", 4, "781.25MHz"};
    default:
      return {"54.4Gbps", 6, "425MHz"};
  }
}

class Tofu final : public TopologyOf<v1::Topology::kTofu, v1::Tofu, TofuSpec> {
 public:
  system::TopologyFamily family() const override { return system::TopologyFamily::kLattice; }
  std::string router_clock(const v1::Topology& topology) const override {
    return std::string(preset(topology.tofu().generation()).clock);
  }
  /// Packet slicing came with TofuD: docs/models/packet-slicing.md.
  experiment::TopologyTraits traits(const v1::Topology& topology) const override {
    const v1::TofuGeneration generation = topology.tofu().generation();
    return {.lanes = generation == v1::TOFUD || generation == v1::TOFU_GENERATION_UNSPECIFIED};
  }

 private:
  TofuSpec check(const v1::Tofu& tofu, const experiment::RouterSpec& /*router*/,
                 experiment::TopologyReader& reader) const override {
    TofuSpec spec;
    if (!v1::TofuGeneration_IsValid(tofu.generation())) {
      reader.complain("generation", "unknown generation; write TOFU, TOFU2 or TOFUD");
    } else if (tofu.generation() != v1::TOFU_GENERATION_UNSPECIFIED) {
      spec.generation = tofu.generation();
    }
    spec.x = reader.number("x", 1, kMaxSize);
    spec.y = reader.number("y", 1, kMaxSize);
    spec.z = reader.number("z", 1, kMaxSize);
    const int64_t nodes = int64_t{kUnit} * spec.x * spec.y * spec.z;
    reader.check_nodes(reader.has("x") ? "x" : "", nodes, nodes);
    const Preset generation = preset(spec.generation);
    spec.tnis = reader.number("tnis", 1, kMaxTnis, generation.tnis);
    spec.link = reader.link("link", generation.rate);
    spec.host = reader.link("host", generation.rate);
    return spec;
  }
  absl::StatusOr<system::SystemGraph> build(const TofuSpec& spec,
                                            const experiment::Experiment& experiment) const override {
    return build_lattice(
        fmt::format("{} {}x{}x{}x2x3x2", to_lower(v1::TofuGeneration_Name(spec.generation)), spec.x, spec.y, spec.z),
        spec.layout(), spec.link, spec.host, "tni", experiment);
  }
  double nodes(const TofuSpec& spec) const override { return spec.layout().routers(); }
  double hosts_per_router(const TofuSpec& /*spec*/) const override { return 1; }
};

}  // namespace

Layout TofuSpec::layout() const {
  return {{{x, true, false, "x"},
           {y, true, false, "y"},
           {z, true, false, "z"},
           {2, false, true, "a"},
           {3, true, false, "b"},
           {2, false, true, "c"}},
          1,
          tnis};
}

const Topology& tofu() {
  static const Tofu topology;
  return topology;
}

}  // namespace fabrictwin::topology::lattice

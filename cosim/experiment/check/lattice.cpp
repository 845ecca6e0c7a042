// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cosim/base/clock.h"
#include "cosim/experiment/check/topology_families.h"
#include "cosim/experiment/check/topology_reader.h"
#include "cosim/link/record.h"

namespace fabrictwin::experiment {
namespace {

constexpr int32_t kMaxDims = 8;  // The packet header has a tie bit for each dimension.
constexpr int32_t kMaxSize = 256;
constexpr int32_t kMaxHostsPerRouter = 32;
static_assert(2 * kMaxDims + kMaxHostsPerRouter <= kMaxRouterPorts);
constexpr int32_t kTofuUnit = 2 * 3 * 2;
constexpr int32_t kMaxTnis = 8;
constexpr int kBlueGeneDims = 4;

/// The parameters of a generation of Tofu: rates of links and of TNIs, number of TNIs, clock (link rate / 128 bit).
struct TofuPreset {
  std::string_view rate;
  int32_t tnis;
  std::string_view clock;
};

TofuPreset preset(v1::TofuGeneration generation) {
  switch (generation) {
    case v1::TOFU:
      return {"40Gbps", 4, "312.5MHz"};
    case v1::TOFU2:
      return {"100Gbps", 4, "781.25MHz"};
    default:
      return {"54.4Gbps", 6, "425MHz"};
  }
}

void check_dims(const v1::Torus& torus, TorusSpec& spec, FieldChecker& fields) {
  spec.dims.assign(torus.dims().begin(), torus.dims().end());
  if (torus.dims().empty()) {
    fields.complain("topology.torus",
                    "the torus has no dims; write the size in each dimension, X first, as in dims: 4 dims: 4 dims: 2");
    return;
  }
  if (torus.dims_size() > kMaxDims) {
    fields.complain(
        fmt::format("topology.torus.dims[{}]", kMaxDims),
        fmt::format("{} dims: a torus has at most {} dimensions, as the packet header has a direction bit for each",
                    torus.dims_size(), kMaxDims));
    return;
  }
  int64_t nodes = 1;
  bool good = true;
  for (int i = 0; i < torus.dims_size(); ++i) {
    if (torus.dims(i) < 1 || torus.dims(i) > kMaxSize) {
      fields.complain(fmt::format("topology.torus.dims[{}]", i),
                      fmt::format("dims {}: the size of a dimension is 1 to {}", torus.dims(i), kMaxSize));
      good = false;
    } else if (nodes <= kMaxNodes) {
      nodes *= torus.dims(i);
    }
  }
  if (good && nodes > kMaxNodes) {
    fields.complain(
        "topology.torus.dims[0]",
        fmt::format(
            "the torus has more than 2^24 = {} nodes, which is what the packet header can number; make it smaller",
            kMaxNodes));
  } else if (good && nodes * spec.hosts_per_router > kMaxNodes) {
    fields.complain("topology.torus.hosts_per_router",
                    fmt::format("{} routers with {} hosts each are more than 2^24 = {} hosts, which is what the packet "
                                "header can number; write {} or less",
                                nodes, spec.hosts_per_router, kMaxNodes, kMaxNodes / nodes));
  }
}

void check_wrap(const v1::Torus& torus, TorusSpec& spec, FieldChecker& fields) {
  spec.wrap.assign(spec.dims.size(), true);
  if (torus.wrap().empty()) return;
  if (torus.wrap_size() != 1 && torus.wrap_size() != torus.dims_size()) {
    fields.complain("topology.torus.wrap[0]",
                    fmt::format("{} values of wrap for {} dims; write one for each dimension, X first, or one for all",
                                torus.wrap_size(), torus.dims_size()));
    return;
  }
  for (size_t d = 0; d < spec.wrap.size(); ++d)
    spec.wrap[d] = torus.wrap(torus.wrap_size() == 1 ? 0 : static_cast<int>(d));
}

}  // namespace

bool TorusSpec::plain() const {
  return hosts_per_router == 1 && std::all_of(wrap.begin(), wrap.end(), [](bool ring) { return ring; });
}

TorusSpec check_torus(const v1::Torus& torus, const RouterSpec& router, FieldChecker& fields) {
  TopologyReader reader(torus, "topology.torus", router.clock, fields);
  TorusSpec spec;
  spec.hosts_per_router = reader.number("hosts_per_router", 1, kMaxHostsPerRouter);
  check_dims(torus, spec, fields);
  check_wrap(torus, spec, fields);
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

std::string_view tofu_router_clock(v1::TofuGeneration generation) { return preset(generation).clock; }

TofuSpec check_tofu(const v1::Tofu& tofu, Frequency clock, FieldChecker& fields) {
  TopologyReader reader(tofu, "topology.tofu", clock, fields);
  TofuSpec spec;
  if (!v1::TofuGeneration_IsValid(tofu.generation())) {
    reader.complain("generation", "unknown generation; write TOFU, TOFU2 or TOFUD");
  } else if (tofu.generation() != v1::TOFU_GENERATION_UNSPECIFIED) {
    spec.generation = tofu.generation();
  }
  spec.x = reader.number("x", 1, kMaxSize);
  spec.y = reader.number("y", 1, kMaxSize);
  spec.z = reader.number("z", 1, kMaxSize);
  const int64_t nodes = int64_t{kTofuUnit} * spec.x * spec.y * spec.z;
  reader.check_nodes(reader.has("x") ? "x" : "", nodes, nodes);
  const TofuPreset generation = preset(spec.generation);
  spec.tnis = reader.number("tnis", 1, kMaxTnis, generation.tnis);
  spec.link = reader.link("link", generation.rate);
  spec.host = reader.link("host", generation.rate);
  return spec;
}

BlueGeneQSpec check_blue_gene_q(const v1::BlueGeneQ& blue_gene_q, Frequency clock, FieldChecker& fields) {
  TopologyReader reader(blue_gene_q, "topology.blue_gene_q", clock, fields);
  BlueGeneQSpec spec;
  spec.dims = reader.numbers("dims", 1, kMaxSize);
  if (spec.dims.size() != kBlueGeneDims) {
    reader.complain("dims[0]", fmt::format("{} dims: write the sizes of A, B, C and D, as in dims: [4, 4, 4, 4]; E is "
                                           "two in every machine",
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

}  // namespace fabrictwin::experiment

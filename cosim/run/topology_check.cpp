// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/topology_check.h"

#include <fmt/format.h>

#include <string>

#include "cosim/base/clock.h"
#include "cosim/link/record.h"

namespace fabrictwin {
namespace {

constexpr int32_t kMaxDims = 8;  // The packet header has a tie bit for each dimension.
constexpr int32_t kMaxSize = 256;
constexpr int64_t kMaxNodes = int64_t{1} << 24;  // Node numbers have 24 bits in the packet header.
constexpr int32_t kQfdbsPerBlade = 4;
constexpr int32_t kBladesPerGroup = 4;
constexpr int32_t kMaxBlades = 24;
constexpr int32_t kMaxLatencyCycles = 1'000'000;
constexpr Frequency kAnyClock{1'000'000'000'000};

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
  }
}

/// A latency that was given in cycles takes the place of the other.
void check_cycles(std::string_view name, int32_t cycles, Frequency frequency, Time& latency, FieldChecker& fields) {
  const std::string path = fmt::format("topology.torus.{}_cycles", name);
  if (cycles == 0 && !fields.places().has(path)) return;
  if (fields.places().has(fmt::format("topology.torus.{}", name))) {
    fields.complain(path, fmt::format("{0} and {0}_cycles say the same; leave one of them out", name));
  } else if (cycles < 1 || cycles > kMaxLatencyCycles) {
    fields.complain(path,
                    fmt::format("{}_cycles {}: the latency is the lookahead of the engine, so it is not zero; write "
                                "1 to {}",
                                name, cycles, kMaxLatencyCycles));
  } else {
    latency = Clock(frequency).edge(cycles);
  }
}

TorusSpec check_torus(const v1::Torus& torus, const RouterSpec& router, FieldChecker& fields) {
  const Frequency clock = router.clock;
  // Packets have no words that a clock would have to follow.
  const Frequency fastest = router.model == v1::PACKET ? kAnyClock : clock;
  TorusSpec spec;
  check_dims(torus, spec, fields);
  if (router.model == v1::INPUT_QUEUED) {
    spec.link_rate = spec.tile_rate = Bandwidth{clock.hertz * kWordBits};
  } else {
    spec.link_rate = fields.rate("topology.torus.link_rate", torus.link_rate(), "10Gbps", "link", fastest);
    spec.tile_rate = fields.rate("topology.torus.tile_rate", torus.tile_rate(), "20Gbps", "tile link", fastest);
  }
  spec.link_latency = fields.latency("topology.torus.link_latency", torus.link_latency(), "120ns", "link");
  spec.tile_latency = fields.latency("topology.torus.tile_latency", torus.tile_latency(), "50ns", "tile link");
  check_cycles("link_latency", torus.link_latency_cycles(), clock, spec.link_latency, fields);
  check_cycles("tile_latency", torus.tile_latency_cycles(), clock, spec.tile_latency, fields);
  return spec;
}

ExanestSpec check_exanest(const v1::Exanest& exanest, Frequency clock, FieldChecker& fields) {
  ExanestSpec spec;
  static constexpr std::string_view kBlades = "topology.exanest.blades";
  static constexpr std::string_view kQfdbs = "topology.exanest.qfdbs";
  const auto written = [&](std::string_view path, int32_t value) {
    return value != 0 || fields.places().has(std::string(path));
  };
  if (written(kBlades, exanest.blades())) {
    const int32_t blades = exanest.blades();
    if (blades < 1 || blades > kMaxBlades || (blades > kBladesPerGroup && blades % kBladesPerGroup != 0)) {
      fields.complain(kBlades, fmt::format("blades {}: blades come as 1 to {} or in whole groups of {}, up to {}",
                                           blades, kBladesPerGroup, kBladesPerGroup, kMaxBlades));
    } else {
      spec.blades = blades;
    }
  }
  if (written(kQfdbs, exanest.qfdbs())) {
    if (exanest.qfdbs() < 1 || exanest.qfdbs() > kQfdbsPerBlade) {
      fields.complain(kQfdbs, fmt::format("qfdbs {}: a blade has 1 to {} boards; write more blades for more boards",
                                          exanest.qfdbs(), kQfdbsPerBlade));
    } else {
      spec.qfdbs = exanest.qfdbs();
    }
  }
  spec.link_rate = fields.rate("topology.exanest.link_rate", exanest.link_rate(), "10Gbps", "link", clock);
  spec.board_rate = fields.rate("topology.exanest.board_rate", exanest.board_rate(), "16Gbps", "board link", clock);
  spec.link_latency = fields.latency("topology.exanest.link_latency", exanest.link_latency(), "120ns", "link");
  spec.host_latency = fields.latency("topology.exanest.host_latency", exanest.host_latency(), "62500ps", "host port");
  return spec;
}

}  // namespace

void check_topology(Experiment& experiment, FieldChecker& fields) {
  const v1::Experiment& message = experiment.message;
  if (!message.has_topology()) {
    fields.complain("",
                    "no topology: an experiment needs a network; write topology { torus { dims: 2 dims: 2 dims: 2 } }");
    return;
  }
  const Frequency clock = experiment.router.clock;
  experiment.topology = message.topology().kind_case();
  switch (message.topology().kind_case()) {
    case v1::Topology::kTorus:
      experiment.torus = check_torus(message.topology().torus(), experiment.router, fields);
      break;
    case v1::Topology::kExanest:
      experiment.exanest = check_exanest(message.topology().exanest(), clock, fields);
      break;
    case v1::Topology::KIND_NOT_SET:
      fields.complain("topology", "the topology is empty; write topology { torus { dims: 2 dims: 2 dims: 2 } }");
      break;
  }
}

}  // namespace fabrictwin

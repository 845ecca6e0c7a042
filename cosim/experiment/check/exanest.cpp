// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>

#include "cosim/experiment/check/topology_families.h"

namespace fabrictwin::experiment {
namespace {

constexpr int32_t kQfdbsPerBlade = 4;
constexpr int32_t kBladesPerGroup = 4;
constexpr int32_t kMaxBlades = 24;

}  // namespace

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

}  // namespace fabrictwin::experiment

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The ExaNeSt prototype: ways over several links between boards.
#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <utility>

#include "cosim/study/reproduction.h"

namespace fabrictwin::study {
namespace {

// The paper, in us: a message within an MPSoC, a routing block, a link.
constexpr double kWithinMpsoc = 1.17;
constexpr double kRoutingBlock = 0.145;
constexpr double kLink = 0.120;

/// A way between two hosts of the machine.
struct Path {
  const char* hosts;
  int32_t between_boards;  ///< Links of 10 Gb/s,
  int32_t on_boards;       ///< and of 16 Gb/s.
};

/// The longest ways in one, two and three dimensions.
constexpr Path kPaths[] = {{"0,8", 2, 0}, {"0,24", 3, 0}, {"0,40", 4, 0}, {"0,104", 5, 0}, {"1,105", 5, 2}};

double microseconds(const v1::Report& report, const Predictions&) {
  const v1::OsuReport& osu = report.jobs_size() == 0 ? report.osu() : report.jobs(0).osu();
  return osu.results_size() == 0 ? std::numeric_limits<double>::quiet_NaN() : osu.results(0).value();
}

}  // namespace

std::vector<ReproductionRun> exanest_paths() {
  std::vector<ReproductionRun> runs;
  for (const Path& path : kPaths) {
    ReproductionRun run;
    run.file = "exanest.textproto";
    run.sets = {"workload.osu.benchmark=LATENCY", fmt::format("workload.placement.hosts={}", path.hosts),
                "workload.osu.sizes=0B"};
    run.figures = {{.id = fmt::format("exanest.latency_0B_path_{}_{}", path.between_boards, path.on_boards),
                    .what = fmt::format("osu_latency 0 B, {} links between QFDBs and {} in them (paper: its formula)",
                                        path.between_boards, path.on_boards),
                    .unit = "us",
                    .paper = kWithinMpsoc + (path.between_boards + 1) * kRoutingBlock +
                             (path.between_boards + path.on_boards) * kLink,
                    .predicted = microseconds}};
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace fabrictwin::study

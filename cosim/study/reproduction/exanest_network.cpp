// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The ExaNeSt prototype: paths over several links between boards, and IP.
#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "cosim/study/reproduction/readings.h"
#include "cosim/study/reproduction/reproduction.h"

namespace fabrictwin::study::reproduction {
namespace {

// The paper, in us: a message within an MPSoC, a routing block, a link.
constexpr double kWithinMpsoc = 1.17;
constexpr double kRoutingBlock = 0.145;
constexpr double kLink = 0.120;

/// A path between two hosts of the machine.
struct Path {
  const char* hosts;
  int32_t between_boards;  ///< Links of 10 Gb/s,
  int32_t on_boards;       ///< and of 16 Gb/s.
};

/// The longest paths in one, two and three dimensions.
constexpr Path kPaths[] = {{"0,8", 2, 0}, {"0,24", 3, 0}, {"0,40", 4, 0}, {"0,104", 5, 0}, {"1,105", 5, 2}};

}  // namespace

std::vector<Run> exanest_paths() {
  std::vector<Run> runs;
  for (const Path& path : kPaths) {
    Run run;
    run.file = "exanest.textproto";
    run.sets = {"workload.osu.benchmark=LATENCY", fmt::format("workload.placement.hosts={}", path.hosts),
                "workload.osu.sizes=0B"};
    run.figures = {{.id = fmt::format("exanest.latency_0B_path_{}_{}", path.between_boards, path.on_boards),
                    .what = fmt::format("osu_latency 0 B, {} links between QFDBs and {} in them (paper: its formula)",
                                        path.between_boards, path.on_boards),
                    .unit = "us",
                    .paper = kWithinMpsoc + (path.between_boards + 1) * kRoutingBlock +
                             (path.between_boards + path.on_boards) * kLink,
                    .predicted = first_osu_result}};
    runs.push_back(std::move(run));
  }
  return runs;
}

namespace {

const char* const kRoundTrips = "exanest-ip.textproto";
const char* const kStream = "exanest-ip-stream.textproto";

double mean_round_trip(const v1::Report& report, const Predictions&) {
  if (report.ip().pings().empty()) return std::numeric_limits<double>::quiet_NaN();
  return report.ip().pings(0).round_trip_seconds().mean() * 1e6;
}

double stream_gigabits(const v1::Report& report, const Predictions&) {
  if (report.ip().streams().empty()) return std::numeric_limits<double>::quiet_NaN();
  return report.ip().streams(0).bits_per_second() * 1e-9;
}

Run run_of(const char* file, std::vector<std::string> sets, PublishedFigure figure) {
  Run run;
  run.file = file;
  run.sets = std::move(sets);
  run.figures.push_back(std::move(figure));
  return run;
}

}  // namespace

std::vector<Run> ip_over_exanet_runs() {
  std::vector<Run> runs;
  runs.push_back(run_of(kRoundTrips, {"host.ip.arrivals=POLL"},
                        {.id = "exanest.ip_round_trip_polling",
                         .what = "ping over IP, one hop in a QFDB, arrivals polled",
                         .unit = "us",
                         .paper = 72,
                         .calibrated = true,
                         .predicted = mean_round_trip}));
  runs.push_back(run_of(kRoundTrips, {},
                        {.id = "exanest.ip_round_trip",
                         .what = "the same, arrivals interrupt",
                         .unit = "us",
                         .paper = 90,
                         .calibrated = true,
                         .predicted = mean_round_trip}));
  runs.push_back(run_of(kStream, {},
                        {.id = "exanest.ip_udp",
                         .what = "large UDP datagrams over IP, the same hosts",
                         .unit = "Gb/s",
                         .paper = 4.7,
                         .predicted = stream_gigabits}));
  return runs;
}

}  // namespace fabrictwin::study::reproduction

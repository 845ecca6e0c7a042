// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// IP over the network of the ExaNeSt prototype.
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "cosim/study/reproduction.h"

namespace fabrictwin::study {
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

ReproductionRun run_of(const char* file, std::vector<std::string> sets, PublishedFigure figure) {
  ReproductionRun run;
  run.file = file;
  run.sets = std::move(sets);
  run.figures.push_back(std::move(figure));
  return run;
}

}  // namespace

std::vector<ReproductionRun> ip_over_exanet_runs() {
  std::vector<ReproductionRun> runs;
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

}  // namespace fabrictwin::study

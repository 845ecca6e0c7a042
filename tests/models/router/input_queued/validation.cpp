// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs every reference point of BookSim2 on the input-queued router model and prints the table of
// docs/models/iq-router.md. From the project's root: build/release/tests/iq_validation [SEEDS].
#include <cstdlib>
#include <string>

#include "fmt/format.h"
#include "tests/models/router/input_queued/booksim_points.h"

namespace fabrictwin {
namespace {

struct Mean {
  double latency = 0;
  double network_latency = 0;
  double accepted = 0;
  double hops = 0;
  int saturated = 0;
};

int validate(int seeds) {
  const absl::StatusOr<std::vector<BooksimPoint>> points =
      read_booksim_points("tests/models/router/input_queued/data/booksim-torus.csv");
  if (!points.ok()) {
    fmt::print(stderr, "{}\n", points.status().ToString());
    return 1;
  }
  fmt::print(
      "| torus | pattern | router | load | of saturation | latency: BookSim2 | model | error | accepted: BookSim2 | "
      "model | error |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const BooksimPoint& point : *points) {
    Mean mean;
    for (int seed = 1; seed <= seeds; ++seed) {
      const absl::StatusOr<v1::Report> report = run_booksim_torus(settings_of(point), static_cast<uint64_t>(seed));
      if (!report.ok()) {
        fmt::print(stderr, "{}\n", report.status().ToString());
        return 1;
      }
      const v1::TrafficReport& traffic = report->traffic();
      mean.latency += traffic.latency_cycles().mean() / seeds;
      mean.network_latency += traffic.latency_cycles().network_mean() / seeds;
      mean.accepted += traffic.accepted_load() / seeds;
      mean.hops += traffic.mean_hops() / seeds;
      mean.saturated += traffic.saturated() ? 1 : 0;
    }
    const double saturation = booksim_saturation(*points, point);
    const auto error = [](double model, double reference) {
      return fmt::format("{:+.2f} %", (model / reference - 1) * 100);
    };
    const bool latency = !point.throughput && !point.unstable;
    fmt::print("| {} | {} | {} | {} | {:.0f} % | {} | {} | {} | {} | {:.4f}{} | {} |\n", point.dims, point.traffic,
               point.variant, point.load, point.load / saturation * 100,
               latency          ? fmt::format("{:.2f}", point.latency)
               : point.unstable ? "unstable"
                                : "-",
               point.throughput ? "-" : fmt::format("{:.2f}", mean.latency),
               latency ? error(mean.latency, point.latency) : "-",
               point.unstable ? "-" : fmt::format("{:.4f}", point.accepted), mean.accepted,
               mean.saturated > 0 ? " (saturated)" : "", point.unstable ? "-" : error(mean.accepted, point.accepted));
  }
  return 0;
}

}  // namespace
}  // namespace fabrictwin

int main(int argc, char** argv) { return fabrictwin::validate(argc > 1 ? std::atoi(argv[1]) : 1); }

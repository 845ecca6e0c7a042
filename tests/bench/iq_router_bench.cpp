// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole runs of the input-queued router model: items are flit-hops, flits that have left a router. Rates are per second
// of CPU time. From the project's root: build/release/bench/iq_router_bench
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "fmt/format.h"
#include "tests/models/router/input_queued/booksim_points.h"

namespace fabrictwin {
namespace {

void run_traffic(benchmark::State& state, const std::string& dims, double load, const std::string& switching,
                 const std::vector<std::string>& more = {}) {
  std::vector<std::string> sets = {"topology.torus.dims=" + dims, "router.switching=" + switching,
                                   fmt::format("workload.traffic.load={}", load)};
  sets.insert(sets.end(), more.begin(), more.end());
  uint64_t hops = 0;
  uint64_t packets = 0;
  uint64_t seed = 1;
  for (auto _ : state) {
    const absl::StatusOr<v1::Report> report = run_booksim_torus(sets, seed++);
    if (!report.ok()) {
      state.SkipWithError(report.status().ToString().c_str());
      return;
    }
    hops += report->traffic().flit_hops();
    packets += report->packets_delivered();
  }
  state.SetItemsProcessed(static_cast<int64_t>(hops));
  state.counters["packets_per_second"] = benchmark::Counter(static_cast<double>(packets), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(run_traffic, torus_8x8_load_0_05, "8x8", 0.05, "credit_per_flit")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_traffic, torus_8x8_load_0_3, "8x8", 0.3, "credit_per_flit")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_traffic, torus_8x8_saturated, "8x8", 1.0, "credit_per_flit")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_traffic, torus_8x8_load_0_3_cut_through, "8x8", 0.3, "virtual_cut_through")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_traffic, torus_8x8_saturated_cut_through, "8x8", 1.0, "virtual_cut_through")
    ->Unit(benchmark::kMillisecond);
// Everything that `statistics` has.
BENCHMARK_CAPTURE(run_traffic, torus_8x8_load_0_3_with_statistics, "8x8", 0.3, "credit_per_flit",
                  {"statistics.latency_histogram=true", "statistics.per_node=true", "statistics.occupancy_interval=1us",
                   "statistics.packet_trace.sample=0.01"})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_traffic, torus_4x4x2_load_0_3, "4x4x2", 0.3, "credit_per_flit")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fabrictwin

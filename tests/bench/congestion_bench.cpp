// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What congestion management costs: the same flows without a scheme and with each, planning left out. Items are
// packet-hops, rates are per second of CPU time. From the project's root: build/release/bench/congestion_bench
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "fmt/format.h"
#include "tests/models/router/packet/packet_run.h"

namespace fabrictwin {
namespace {

void run_flows(benchmark::State& state, const std::string& text, const std::string& scheme) {
  const std::string written = scheme.empty() ? text : fmt::format("{}congestion {{ {} {{ }} }}\n", text, scheme);
  uint64_t hops = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const absl::StatusOr<std::unique_ptr<run::Run>> run = prepare_models(written);
    state.ResumeTiming();
    const absl::Status status = run.ok() ? (*run)->execute(std::stop_token()) : run.status();
    if (!status.ok()) return state.SkipWithError(status.ToString().c_str());
    for (const v1::PartitionReport& partition : (*run)->report().partitions()) hops += partition.events();
  }
  state.SetItemsProcessed(static_cast<int64_t>(hops));
}

// As workloads/experiments/congestion/websearch.textproto, with flows that are drawn instead of listed.
void websearch(benchmark::State& state, const std::string& scheme) {
  run_flows(state,
            "topology { spine_leaf { spines: 1 leaves: 4 hosts_per_leaf: 4 link_rate: \"400Gbps\" "
            "link_latency: \"1us\" host_rate: \"100Gbps\" host_latency: \"1us\" } }\n"
            "router { model: PACKET packet_payload: \"1000B\" }\npfc { }\ntransport { header: \"48B\" }\n"
            "workload { flows { sizes: \"WEBSEARCH\" load: 0.5 duration: \"10ms\" } }\nseed: 1\n",
            scheme);
}
BENCHMARK_CAPTURE(websearch, none, "")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(websearch, dcqcn, "dcqcn")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(websearch, hpcc, "hpcc")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(websearch, timely, "timely")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(websearch, dctcp, "dctcp")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(websearch, swift, "swift")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(websearch, ib_cca, "ib_cca")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(websearch, max_min, "max_min")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(websearch, back_pressure, "back_pressure")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(websearch, throttling, "throttling")->Unit(benchmark::kMillisecond);

// A full fat tree of 1024 hosts at half load.
void fat_tree(benchmark::State& state, const std::string& scheme) {
  run_flows(state,
            "topology { fat_tree { down: [16, 8, 8] link_latency: \"1us\" host_latency: \"1us\" } }\n"
            "router { model: PACKET packet_payload: \"1000B\" }\npfc { }\ntransport { header: \"48B\" }\n"
            "workload { flows { sizes: \"WEBSEARCH\" load: 0.5 duration: \"200us\" } }\nseed: 1\n",
            scheme);
}
BENCHMARK_CAPTURE(fat_tree, none, "")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fat_tree, dcqcn, "dcqcn")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fat_tree, hpcc, "hpcc")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fabrictwin

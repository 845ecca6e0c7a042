// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole runs: what an idle second costs, what metrics cost, what more processes than cores cost, what threads gain.
// Workers are processes of the fabrictwin binary beside this one (../bin/fabrictwin). Ratios are made within one
// iteration, from runs that follow each other.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "bridges/caller/grpc_connector.h"
#include "cosim/cli/support/parts.h"
#include "cosim/experiment/experiment.h"
#include "cosim/run/run.h"
#include "dashboards/metrics/metrics_server.h"
#include "tests/dashboards/metrics/http_get.h"
#include "tests/experiments.h"
#include "workloads/trace/ti/import.h"

namespace fabrictwin {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUniform =
    "topology { torus { dims: 2 dims: 2 dims: 2 } }\n"
    "workload { traffic { pattern: UNIFORM load: 0.4 duration: \"40us\" } }\n"
    "stop { at_workload_end: true }\nseed: 1\n";

fs::path beside(const std::string& name) {
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "bin" / name;
}

// A folder of this process, removed at its end.
class Scratch {
 public:
  Scratch() : path_(fs::temp_directory_path() / fmt::format("fabrictwin-bench-{}", ::getpid())) {
    fs::create_directories(path_);
  }
  ~Scratch() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

const Scratch& scratch() {
  static const Scratch scratch;
  return scratch;
}

// Two ranks: one computes for a simulated second, then tells the other.
std::string idle_second_trace() {
  const fs::path folder = scratch().path() / "idle";
  const std::string trace = (scratch().path() / "idle.fttrace").string();
  if (fs::exists(trace)) return trace;
  fs::create_directories(folder);
  std::ofstream(folder / "trace.index") << "rank-0.ti\nrank-1.ti\n";
  std::ofstream(folder / "rank-0.ti") << "0 init\n0 compute 1e9\n0 send 1 1 8 2\n0 finalize\n";
  std::ofstream(folder / "rank-1.ti") << "1 init\n1 recv 0 1 8 2\n1 finalize\n";
  if (const absl::Status status = trace::ti::import_ti(folder.string(), trace); !status.ok()) return {};
  return trace;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Outcome {
  double wall = 0;
  double busy = 0;  ///< Of the busiest partition.
  std::string digest;
};

// Scrapes a port each 100 ms until it is destroyed: ten times as often as Prometheus does.
std::jthread scrape_often(uint16_t port) {
  return std::jthread([port](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, stop, std::chrono::milliseconds(100), [&] { return stop.stop_requested(); }))
      http_get(port, "/metrics");
  });
}

// Runs an experiment; an error is told to `state`.
Outcome run(benchmark::State& state, const std::string& text, const std::vector<std::string>& uses,
            const std::vector<std::string>& sets = {}, int threads = 1, const std::string& metrics = {}) {
  const auto failed = [&](const absl::Status& status) {
    state.SkipWithError(std::string(status.message()).c_str());
    return Outcome{};
  };
  experiment::Overrides overrides;
  overrides.uses = uses;
  overrides.sets = sets;
  absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(text, "bench.textproto", overrides);
  if (!experiment.ok()) return failed(experiment.status());
  run::RunOptions options;
  options.threads = threads;
  options.executable = beside("fabrictwin").string();
  absl::StatusOr<std::unique_ptr<run::Run>> run = run::Run::create(*std::move(experiment), cli::support::all_parts(),
                                                                   bridges::caller::make_grpc_connector, options);
  if (!run.ok()) return failed(run.status());
  std::unique_ptr<dashboards::metrics::MetricsServer> server;
  std::jthread scraper;
  if (!metrics.empty()) {
    absl::StatusOr<std::unique_ptr<dashboards::metrics::MetricsServer>> made =
        dashboards::metrics::MetricsServer::create(metrics, **run, {}, {});
    if (!made.ok()) return failed(made.status());
    server = *std::move(made);
    scraper = scrape_often(server->address().port);
  }
  if (const absl::Status status = (*run)->execute({}); !status.ok()) return failed(status);
  double busy = 0;
  for (const v1::PartitionReport& partition : (*run)->report().partitions())
    busy = std::max(busy, partition.busy_seconds());
  return {(*run)->report().wall_seconds(), busy, (*run)->report().timing_digest()};
}

// Wall time of a run with a simulated second of computing in it, less that of the same run without.
void BM_IdleSecond(benchmark::State& state, const std::vector<std::string>& uses) {
  const std::string text = fmt::format(
      "topology {{ torus {{ dims: 2 dims: 2 dims: 2 }} }}\nworkload {{ mpi_trace {{ path: \"{}\" }} }}\nstop {{ "
      "at_workload_end: true }}\n",
      idle_second_trace());
  double idle = 0;
  for (auto _ : state) {
    const double without = run(state, text, uses, {"workload.mpi_trace.compute_scale=0"}).wall;
    const double with = run(state, text, uses).wall;
    state.SetIterationTime(std::max(with, 1e-9));
    idle += (with - without) * 1e3;
  }
  state.counters["idle_second_ms"] = benchmark::Counter(idle, benchmark::Counter::kAvgIterations);
}
BENCHMARK_CAPTURE(BM_IdleSecond, inproc, {"router[*]=RTL"})
    ->UseManualTime()
    ->Iterations(5)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_IdleSecond, worker_shm, {"router[1]=RTL@worker:shm", "router[2]=RTL@worker:shm"})
    ->UseManualTime()
    ->Iterations(5)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_IdleSecond, worker_unix, {"router[1]=RTL@worker:unix", "router[3]=RTL@worker:unix"})
    ->UseManualTime()
    ->Iterations(5)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_IdleSecond, worker_tcp, {"router[1],router[3]=RTL@worker:tcp"})
    ->UseManualTime()
    ->Iterations(5)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_IdleSecond, soft_board, {"router[6]=BOARD@soft"})
    ->UseManualTime()
    ->Iterations(5)
    ->Unit(benchmark::kMillisecond);

// Runs an experiment with an endpoint that is scraped at 10 Hz and without. The median leaves out pairs in one of which
// somebody else had a core that processes wait for.
void compare_metrics(benchmark::State& state, const std::string& text, const std::vector<std::string>& uses,
                     const std::vector<std::string>& sets) {
  std::vector<double> ratios;
  for (auto _ : state) {
    const Outcome without = run(state, text, uses, sets);
    const Outcome with = run(state, text, uses, sets, 1, "127.0.0.1:0");
    if (with.digest != without.digest) state.SkipWithError("the digests differ");
    ratios.push_back(with.wall / without.wall);
    state.SetIterationTime(std::max(with.wall, 1e-9));
  }
  state.counters["on_over_off"] = median(ratios);
}

void BM_Metrics(benchmark::State& state) {
  compare_metrics(state, kUniform, {}, {"topology.torus.dims=4x4x2", "workload.traffic.duration=2ms"});
}
BENCHMARK(BM_Metrics)->UseManualTime()->Iterations(10)->Unit(benchmark::kMillisecond);

// The ranks of HPCG, with half of the routers in a worker over shared memory, which each scrape asks for its metrics.
void BM_MetricsOfJob(benchmark::State& state) {
  compare_metrics(state,
                  "topology { torus { dims: 2 dims: 2 dims: 2 } }\n"
                  "workload { mpi_trace { path: \"" HPCG_TRACE
                  "\" eager_limit: \"4KiB\" } }\n"
                  "stop { at_workload_end: true }\nseed: 1\n",
                  {"router[0..3]=MODEL@worker:shm"}, {});
}
BENCHMARK(BM_MetricsOfJob)->UseManualTime()->Iterations(5)->Unit(benchmark::kMillisecond);

// The time of a scrape of a machine with 4096 nodes while it simulates.
void BM_Scrape(benchmark::State& state) {
  absl::StatusOr<experiment::Experiment> experiment =
      test::parse_experiment(kUniform, "bench.textproto",
                             {.sets = {"topology.torus.dims=16x16x16", "router.model=PACKET",
                                       "workload.traffic.load=0.1", "workload.traffic.duration=1s"}});
  if (!experiment.ok()) return state.SkipWithError(std::string(experiment.status().message()).c_str());
  absl::StatusOr<std::unique_ptr<run::Run>> run =
      run::Run::create(*std::move(experiment), cli::support::all_parts(), bridges::caller::make_grpc_connector, {});
  if (!run.ok()) return state.SkipWithError(std::string(run.status().message()).c_str());
  auto server = dashboards::metrics::MetricsServer::create("127.0.0.1:0", **run, {}, {});
  if (!server.ok()) return state.SkipWithError(std::string(server.status().message()).c_str());
  std::jthread simulation([&](const std::stop_token& stop) { (void)(*run)->execute(stop); });
  const uint16_t port = (*server)->address().port;
  // Until the first packets have come over links, most series do not exist.
  while (http_get(port, "/metrics").find("fabrictwin_link_bytes_total{") == std::string::npos) {
  }
  std::string page;
  for (auto _ : state) page = http_get(port, "/metrics");
  state.counters["series"] =
      static_cast<double>(std::count(page.begin(), page.end(), '\n') - std::count(page.begin(), page.end(), '#'));
  state.counters["page_bytes"] = static_cast<double>(page.size());
}
BENCHMARK(BM_Scrape)->UseRealTime()->Iterations(50)->Unit(benchmark::kMillisecond);

// Eight RTL routers in one worker (two processes) and in three (four processes), over shared memory.
void BM_FourProcessesOnTwoCores(benchmark::State& state) {
  double two = 0;
  double four = 0;
  for (auto _ : state) {
    two += run(state, kUniform, {"router[0..5]=RTL@worker:shm", "router[6..7]=RTL"}).wall;
    const double wall = run(state, kUniform,
                            {"router[0..1]=RTL@worker:shm", "router[2..3]=RTL@worker:shm",
                             "router[4..5]=RTL@worker:shm", "router[6..7]=RTL"})
                            .wall;
    four += wall;
    state.SetIterationTime(wall);
  }
  state.counters["four_over_two"] = four / two;
}
BENCHMARK(BM_FourProcessesOnTwoCores)->UseManualTime()->Iterations(5)->Unit(benchmark::kMillisecond);

// Runs an experiment in one process, and then as `uses` says. `busy_ratio` leaves out what processes wait for each
// other, and for cores that others use: it is what two free cores can reach.
void compare_processes(benchmark::State& state, const std::string& text, const std::vector<std::string>& uses,
                       const std::vector<std::string>& sets) {
  std::vector<double> speedups;
  std::vector<double> busy_ratios;
  for (auto _ : state) {
    const Outcome one = run(state, text, {}, sets);
    const Outcome two = run(state, text, uses, sets);
    if (one.digest != two.digest) state.SkipWithError("the digests differ");
    speedups.push_back(one.wall / two.wall);
    busy_ratios.push_back(one.busy / two.busy);
    state.SetIterationTime(std::max(two.wall, 1e-9));
  }
  state.counters["speedup"] = median(speedups);
  state.counters["busy_ratio"] = median(busy_ratios);
}

// 512 model routers and hosts at 30 % load in one process; then 296 of the routers in a worker over shared memory,
// which balances the two, as hosts stay in the process of the run.
void BM_TwoModelProcesses(benchmark::State& state) {
  compare_processes(state, kUniform, {"router[0..295]=MODEL@worker:shm"},
                    {"topology.torus.dims=8x8x8", "workload.traffic.load=0.3"});
}
BENCHMARK(BM_TwoModelProcesses)->UseManualTime()->Iterations(7)->Unit(benchmark::kMillisecond);

// 512 routers with hosts that exchange messages.
constexpr const char* kExchange =
    "topology { torus { dims: [8, 8, 8] } } workload { exchange { bytes: \"64KiB\" iterations: 2 } }";

// Those of another model in one process; then one half with its hosts in a worker over shared memory.
void BM_TwoFabricProcesses(benchmark::State& state, const std::string& model) {
  compare_processes(state, kExchange, {"router[0..255]=MODEL@worker:shm"}, {"router.model=" + model});
}
BENCHMARK_CAPTURE(BM_TwoFabricProcesses, packet, "PACKET")
    ->UseManualTime()
    ->Iterations(7)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_TwoFabricProcesses, input_queued, "INPUT_QUEUED")
    ->UseManualTime()
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);

// A packet network in one thread, in two that share its partition, and as two partitions in two processes.
void BM_ThreadsOrProcesses(benchmark::State& state) {
  const std::vector<std::string> sets{"router.model=PACKET"};
  std::vector<double> threads;
  std::vector<double> processes;
  for (auto _ : state) {
    const Outcome one = run(state, kExchange, {}, sets, 1);
    const Outcome shards = run(state, kExchange, {}, sets, 2);
    const Outcome partitions = run(state, kExchange, {"router[0..255]=MODEL@worker:shm"}, sets, 1);
    if (one.digest != shards.digest || one.digest != partitions.digest) state.SkipWithError("the digests differ");
    threads.push_back(one.wall / shards.wall);
    processes.push_back(one.wall / partitions.wall);
    state.SetIterationTime(std::max(shards.wall, 1e-9));
  }
  state.counters["threads_speedup"] = median(threads);
  state.counters["processes_speedup"] = median(processes);
}
BENCHMARK(BM_ThreadsOrProcesses)->UseManualTime()->Iterations(7)->Unit(benchmark::kMillisecond);

// All-RTL on one thread and on two.
void BM_ThreadsRtl(benchmark::State& state) {
  const std::vector<std::string> sets{"topology.torus.dims=4x4x2"};
  double one = 0;
  double two = 0;
  for (auto _ : state) {
    const Outcome first = run(state, kUniform, {"router[*]=RTL"}, sets, 1);
    const Outcome second = run(state, kUniform, {"router[*]=RTL"}, sets, 2);
    if (first.digest != second.digest) state.SkipWithError("the digests differ");
    one += first.wall;
    two += second.wall;
    state.SetIterationTime(second.wall);
  }
  state.counters["speedup"] = one / two;
}
BENCHMARK(BM_ThreadsRtl)->UseManualTime()->Iterations(5)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fabrictwin

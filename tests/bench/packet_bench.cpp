// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole runs of the packet network, planning left out: items are packet-hops, or the MPI events of a trace. Rates are
// per second of CPU time. From the project's root: build/release/bench/packet_bench
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "tests/models/router/packet/packet_run.h"
#include "workloads/trace/format/writer.h"

namespace fabrictwin {
namespace {

namespace fs = std::filesystem;

struct Done {
  uint64_t hops = 0;
  uint64_t mpi_events = 0;
};

bool run_once(benchmark::State& state, const std::string& text, const std::vector<std::string>& sets, Done& done) {
  state.PauseTiming();
  const absl::StatusOr<std::unique_ptr<run::Run>> run = prepare_models(text, sets);
  state.ResumeTiming();
  const absl::Status status = run.ok() ? (*run)->execute(std::stop_token()) : run.status();
  if (!status.ok()) {
    state.SkipWithError(status.ToString().c_str());
    return false;
  }
  const v1::Report& report = (*run)->report();
  for (const v1::PartitionReport& partition : report.partitions()) done.hops += partition.events();
  for (const v1::Rank& rank : report.ranks()) done.mpi_events += rank.events_replayed();
  return true;
}

void count_hops(benchmark::State& state, const std::string& text, const std::vector<std::string>& sets) {
  Done done;
  for (auto _ : state) {
    if (!run_once(state, text, sets, done)) return;
  }
  state.SetItemsProcessed(static_cast<int64_t>(done.hops));
}

// Uniform traffic in packets of 18 flits.
void traffic(benchmark::State& state, double load) {
  count_hops(state,
             "topology { torus { dims: [8, 8] } }\nrouter { model: PACKET }\n"
             "workload { traffic { duration: \"100us\" } }\nseed: 1\n",
             {fmt::format("workload.traffic.load={}", load)});
}
BENCHMARK_CAPTURE(traffic, load_0_05, 0.05)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(traffic, load_0_3, 0.3)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(traffic, saturated, 1.0)->Unit(benchmark::kMillisecond);

// What workloads/experiments/machine-exchange.textproto does, on cubes of TofuD units of 12 nodes.
void exchange(benchmark::State& state) {
  const int64_t side = state.range(0);
  count_hops(state,
             "topology { tofu { generation: TOFUD } }\n"
             "router { model: PACKET routing_delay: 2 packet_payload: \"2KiB\" }\n"
             "workload { exchange { bytes: \"64KiB\" allreduce: \"8B\" } }\nseed: 1\n",
             {fmt::format("topology.tofu.x={}", side), fmt::format("topology.tofu.y={}", side),
              fmt::format("topology.tofu.z={}", side)});
}
BENCHMARK(exchange)->ArgName("side")->Arg(2)->Arg(4)->Arg(7)->Unit(benchmark::kMillisecond);

/// A trace in a folder of this process, removed with it.
class TraceFile {
 public:
  TraceFile() : path_(fs::temp_directory_path() / fmt::format("fabrictwin-packet-bench-{}.fttrace", ::getpid())) {}
  ~TraceFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  std::string path() const { return path_.string(); }

  /// Each rank of a ring computes `computations` times for 100 ns, then exchanges 8 bytes with its neighbours.
  absl::Status write(uint32_t ranks, int rounds, int computations) {
    absl::StatusOr<std::unique_ptr<trace::format::Writer>> writer =
        trace::format::Writer::create(path(), {ranks, "ring of small messages", "packet_bench"});
    if (!writer.ok()) return writer.status();
    absl::Status status;
    for (uint32_t rank = 0; rank < ranks; ++rank) {
      trace::format::Event compute;
      compute.action = v1::COMPUTE;
      compute.duration = Time::from_ns(100);
      trace::format::Event receive;
      receive.action = v1::IRECV;
      receive.peer = static_cast<int32_t>((rank + ranks - 1) % ranks);
      receive.count = 8;
      trace::format::Event send = receive;
      send.action = v1::SEND;
      send.peer = static_cast<int32_t>((rank + 1) % ranks);
      trace::format::Event wait;
      wait.action = v1::WAITALL;
      wait.count = 1;
      for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < computations; ++i) status.Update((*writer)->append(rank, compute));
        for (const trace::format::Event& event : {receive, send, wait}) status.Update((*writer)->append(rank, event));
      }
      status.Update((*writer)->flush(rank));
    }
    status.Update((*writer)->finish());
    return status;
  }

 private:
  fs::path path_;
};

// Events a second where hardly anything is in the network: only the rank itself, or a message for three events.
void mpi_events(benchmark::State& state) {
  TraceFile trace;
  const auto computations = static_cast<int>(state.range(0));
  if (const absl::Status status = trace.write(64, 30'000 / (computations + 3), computations); !status.ok())
    return state.SkipWithError(status.ToString().c_str());
  Done done;
  const std::string text =
      "topology { torus { dims: [4, 4, 4] } }\nrouter { model: PACKET }\nworkload { mpi_trace {} }\nseed: 1\n";
  for (auto _ : state) {
    if (!run_once(state, text, {"workload.mpi_trace.path=" + trace.path()}, done)) return;
  }
  state.SetItemsProcessed(static_cast<int64_t>(done.mpi_events));
  state.counters["packet_hops_per_second"] =
      benchmark::Counter(static_cast<double>(done.hops), benchmark::Counter::kIsRate);
}
BENCHMARK(mpi_events)->ArgName("computations_a_message")->Arg(0)->Arg(7)->Arg(97)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fabrictwin

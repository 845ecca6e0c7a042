// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run of a packet network takes: packet_scale EXPERIMENT [--threads=N] [PATH=VALUE]... prints its nodes, time
// and memory.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/base/text.h"
#include "tests/models/router/packet/packet_run.h"

namespace fabrictwin {
namespace {

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/// Bytes that have been resident at once so far.
double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

int run_scale(const std::string& file, const std::vector<std::string>& sets, int threads) {
  std::ifstream stream(file);
  const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  const auto start = std::chrono::steady_clock::now();
  const absl::StatusOr<std::unique_ptr<run::Run>> run = prepare_models(text, sets, Time::never(), threads);
  if (!run.ok()) {
    fmt::print(stderr, "{}\n", message_of(run.status()));
    return 1;
  }
  const double built = cpu_seconds();
  const double built_bytes = peak_bytes();
  // The partitions are made in here too: what they take before time begins is not that of a packet-hop, but small.
  if (const absl::Status status = (*run)->execute(std::stop_token()); !status.ok()) {
    fmt::print(stderr, "{}\n", message_of(status));
    return 1;
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  const double ran = cpu_seconds() - built;
  const v1::Report& report = (*run)->report();
  uint64_t hops = 0;
  for (const v1::PartitionReport& partition : report.partitions()) hops += partition.events();
  const int32_t nodes = (*run)->plan().graph.host_count();
  fmt::print("{}: {} nodes, {:.3f} us simulated, {} packet-hops\n", report.run().topology(), nodes,
             1e6 * report.simulated_seconds(), hops);
  fmt::print("CPU: {:.2f} s to plan, {:.2f} s to build, run and report, {:.0f} ns a packet-hop\n", built, ran,
             1e9 * ran / static_cast<double>(hops));
  fmt::print("wall: {:.2f} s of events, {:.0f} ns a packet-hop; {:.2f} s in all\n", report.wall_seconds(),
             1e9 * report.wall_seconds() / static_cast<double>(hops), wall.count());
  fmt::print("memory: {:.2f} GiB, {:.0f} bytes a node, {:.0f} of them for the plan\n", peak_bytes() / (1 << 30),
             peak_bytes() / nodes, built_bytes / nodes);
  fmt::print("payload {}, timing {}\n", report.payload_digest(), report.timing_digest());
  if (report.has_traffic()) {
    fmt::print("{:.0f} ns mean latency, accepted {:.4f}, offered {:.4f}\n",
               1e9 * report.traffic().mean_latency_seconds(), report.traffic().accepted_load(),
               report.traffic().offered_load());
  }
  return 0;
}

}  // namespace
}  // namespace fabrictwin

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: packet_scale EXPERIMENT [--threads=N] [PATH=VALUE]...\n");
    return 2;
  }
  constexpr std::string_view kThreads = "--threads=";
  std::vector<std::string> sets(argv + 2, argv + argc);
  int threads = 1;
  if (!sets.empty() && sets.front().starts_with(kThreads)) {
    threads = std::max(1, std::atoi(sets.front().c_str() + kThreads.size()));
    sets.erase(sets.begin());
  }
  return fabrictwin::run_scale(argv[1], sets, threads);
}

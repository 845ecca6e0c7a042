// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run of a packet network takes: packet_scale EXPERIMENT [PATH=VALUE]... prints its nodes, time and memory.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cosim/base/text.h"
#include "tests/models/packet/packet_run.h"

namespace fabrictwin {
namespace {

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

int run(const std::string& file, const std::vector<std::string>& sets) {
  std::ifstream stream(file);
  const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  const absl::StatusOr<v1::Report> report = run_models(text, sets);
  if (!report.ok()) {
    fmt::print(stderr, "{}\n", message_of(report.status()));
    return 1;
  }
  uint64_t hops = 0;
  for (const v1::LinkReport& link : report->links()) hops += link.packets();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double bytes = 1024.0 * static_cast<double>(usage.ru_maxrss);
  double busy = 0;
  for (const v1::PartitionReport& partition : report->partitions()) busy += partition.busy_seconds();
  fmt::print(
      "{}: {:.3f} us simulated, {} packet-hops, {:.2f} s CPU in all, {:.2f} s in the network, {:.0f} ns a hop, {:.2f} "
      "GiB, payload {}, timing {}, {:.0f} ns mean latency, accepted {:.4f}, offered {:.4f}\n",
      report->run().topology(), 1e6 * report->simulated_seconds(), hops, cpu_seconds(), busy,
      1e9 * busy / static_cast<double>(hops), bytes / (1 << 30), report->payload_digest(), report->timing_digest(),
      1e9 * report->traffic().mean_latency_seconds(), report->traffic().accepted_load(),
      report->traffic().offered_load());
  return 0;
}

}  // namespace
}  // namespace fabrictwin

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: packet_scale EXPERIMENT [PATH=VALUE]...\n");
    return 2;
  }
  return fabrictwin::run(argv[1], std::vector<std::string>(argv + 2, argv + argc));
}

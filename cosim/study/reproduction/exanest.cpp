// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The ExaNeSt prototype: figures of the papers on its network interface and on ExaNet-MPI.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "cosim/study/reproduction/readings.h"
#include "cosim/study/reproduction/reproduction.h"

namespace fabrictwin::study::reproduction {
namespace {

const char* const kPairs = "exanest.textproto";

constexpr uint64_t kFourMegabytes = uint64_t{4} << 20;

using Read = std::function<double(const v1::Report&, const Predictions&)>;

Read value(uint64_t bytes) {
  return [bytes](const v1::Report& report, const Predictions&) { return result_of(report, bytes).value(); };
}

Read gigabits(uint64_t bytes) {
  return [bytes](const v1::Report& report, const Predictions&) { return result_of(report, bytes).value() * 8e-3; };
}

Read nanoseconds(uint64_t bytes) {
  return [bytes](const v1::Report& report, const Predictions&) { return result_of(report, bytes).value() * 1e3; };
}

Read slowest(uint64_t bytes) {
  return [bytes](const v1::Report& report, const Predictions&) { return result_of(report, bytes).max(); };
}

/// The simulated time of the run in seconds; it is not known of a run that was stopped.
double seconds(const v1::Report& report, const Predictions&) {
  return report.complete() ? report.simulated_seconds() : std::numeric_limits<double>::quiet_NaN();
}

/// A run of a benchmark between hosts, or groups of them.
Run osu(const std::string& benchmark, const std::string& hosts, const std::string& sizes,
        std::vector<PublishedFigure> figures, std::vector<std::string> more = {}) {
  Run run;
  run.file = kPairs;
  run.sets = {"workload.osu.benchmark=" + benchmark, "workload.placement.hosts=" + hosts,
              "workload.osu.sizes=" + sizes};
  run.sets.insert(run.sets.end(), more.begin(), more.end());
  run.figures = std::move(figures);
  return run;
}

/// The sizes beyond 1 B, whose latency is published.
constexpr uint64_t kBroadcastSizes[] = {64, 1024, 4096};
const char* const kBroadcastText = "64B,1KiB,4KiB";

/// Adds the latencies that the model of the broadcast needs and `figures` do not have already.
std::vector<PublishedFigure> with_broadcast_latencies(std::vector<PublishedFigure> figures, std::string_view path) {
  for (const uint64_t size : kBroadcastSizes) {
    PublishedFigure figure;
    figure.id = fmt::format("exanest.latency_{}B_{}", size, path);
    figure.predicted = value(size);
    figure.shown = false;
    const bool known =
        std::any_of(figures.begin(), figures.end(), [&](const auto& other) { return other.id == figure.id; });
    if (!known) figures.push_back(std::move(figure));
  }
  return figures;
}

/// The published link latency in ns, which the experiment uses.
constexpr double kLinkLatency = 120;

void add_latencies(std::vector<Run>& runs) {
  runs.push_back(osu("ONE_WAY_LAT", "0,1", "0B",
                     {{.id = "exanest.packetizer_one_way",
                       .what = "packetizer to mailbox, adjacent MPSoCs",
                       .unit = "ns",
                       .paper = 470,
                       .calibrated = true,
                       .predicted = nanoseconds(0),
                       .osu = OsuPoint{0, 1e-3}}}));
  runs.push_back(osu("LATENCY", "0", "0B,64B,1KiB,4KiB",
                     with_broadcast_latencies({{.id = "exanest.latency_0B_mpsoc",
                                                .what = "osu_latency 0 B, same MPSoC",
                                                .unit = "us",
                                                .paper = 1.17,
                                                .calibrated = true,
                                                .predicted = value(0),
                                                .osu = OsuPoint{0}}},
                                              "mpsoc"),
                     {"workload.placement.ranks_per_host=2"}));
  runs.push_back(osu("LATENCY", "0,1", "0B,32B,64B,1KiB,4KiB,4MiB",
                     with_broadcast_latencies({{.id = "exanest.latency_0B_qfdb",
                                                .what = "osu_latency 0 B, one hop in a QFDB",
                                                .unit = "us",
                                                .paper = 1.293,
                                                .calibrated = true,
                                                .predicted = value(0),
                                                .osu = OsuPoint{0}},
                                               {.id = "exanest.latency_32B_qfdb",
                                                .what = "osu_latency 32 B, the same (paper: below)",
                                                .unit = "us",
                                                .paper = 1.320,
                                                .predicted = value(32),
                                                .osu = OsuPoint{32}},
                                               {.id = "exanest.latency_64B_qfdb",
                                                .what = "osu_latency 64 B, the same (RDMA)",
                                                .unit = "us",
                                                .paper = 5.157,
                                                .calibrated = true,
                                                .predicted = value(64),
                                                .osu = OsuPoint{64}},
                                               {.id = "exanest.latency_4MB_qfdb",
                                                .what = "osu_latency 4 MB, the same",
                                                .unit = "us",
                                                .paper = 2689.4,
                                                .predicted = value(kFourMegabytes),
                                                .osu = OsuPoint{kFourMegabytes}}},
                                              "qfdb"),
                     {"workload.osu.iterations=4"}));
  runs.push_back(osu("LATENCY", "0,4", "0B,64B,1KiB,4KiB",
                     with_broadcast_latencies(
                         {{.id = "exanest.latency_0B_mezzanine",
                           .what = "osu_latency 0 B, one hop between QFDBs",
                           .unit = "us",
                           .paper = 1.579,
                           .calibrated = true,
                           .predicted = value(0),
                           .osu = OsuPoint{0}},
                          {.id = "exanest.mezzanine_hop",
                           .what = "that hop alone",
                           .unit = "ns",
                           .paper = 409,
                           .calibrated = true,
                           .predicted =
                               [](const v1::Report& report, const Predictions& before) {
                                 return (result_of(report, 0).value() - predicted(before, "exanest.latency_0B_mpsoc")) *
                                        1e3;
                               }},
                          {.id = "exanest.routing_block",
                           .what = "each of its two routing blocks",
                           .unit = "ns",
                           .paper = 145,
                           .calibrated = true,
                           .predicted =
                               [](const v1::Report&, const Predictions& before) {
                                 return (predicted(before, "exanest.mezzanine_hop") - kLinkLatency) / 2;
                               }}},
                         "mezzanine")));
  runs.push_back(osu("LATENCY", "0,5", "0B",
                     {{.id = "exanest.latency_0B_two_hops",
                       .what = "osu_latency 0 B, 10 Gb/s hop + 16 Gb/s hop",
                       .unit = "us",
                       .paper = 2.0,
                       .predicted = value(0),
                       .osu = OsuPoint{0}}}));
}

void add_bandwidths(std::vector<Run>& runs) {
  // Windows follow each other without a noticeable gap, so a single, smaller one is enough.
  const std::vector<std::string> few = {"workload.osu.iterations=1", "workload.osu.warmup=1", "workload.osu.window=16"};
  runs.push_back(osu("BW", "0,1", "4MiB",
                     {{.id = "exanest.bw_4MB_qfdb",
                       .what = "osu_bw 4 MB, in a QFDB",
                       .unit = "Gb/s",
                       .paper = 13,
                       .calibrated = true,
                       .predicted = gigabits(kFourMegabytes),
                       .osu = OsuPoint{kFourMegabytes, 125}}},
                     few));
  runs.push_back(osu("BW", "0,4", "4MiB",
                     {{.id = "exanest.bw_4MB_mezzanine",
                       .what = "osu_bw 4 MB, between QFDBs",
                       .unit = "Gb/s",
                       .paper = 6.42,
                       .calibrated = true,
                       .predicted = gigabits(kFourMegabytes),
                       .osu = OsuPoint{kFourMegabytes, 125}}},
                     few));
}

/// The paper's model of a broadcast on 512 ranks: 2 steps in an MPSoC, 2 in a QFDB, 5 between QFDBs.
constexpr double kMpsocSteps = 2;
constexpr double kQfdbSteps = 2;
constexpr double kMezzanineSteps = 5;

void add_collectives(std::vector<Run>& runs) {
  runs.push_back(osu("ALLREDUCE", "0..3", "4B",
                     {{.id = "exanest.allreduce_4",
                       .what = "osu_allreduce 4 B, 4 ranks on a QFDB",
                       .unit = "us",
                       .paper = 5.34,
                       .calibrated = true,
                       .predicted = value(4),
                       .osu = OsuPoint{4}}}));
  runs.push_back(osu("ALLREDUCE", "0..15", "256B",
                     {{.id = "exanest.allreduce_16_256B",
                       .what = "osu_allreduce 256 B, 16 ranks, software",
                       .unit = "us",
                       .paper = 39.7,
                       .predicted = value(256),
                       .osu = OsuPoint{256}}}));
  runs.push_back(osu("ALLREDUCE", "0..15", "256B,512B",
                     {{.id = "exanest.accelerator_16_256B",
                       .what = "osu_allreduce 256 B, 16 ranks, Allreduce accelerator",
                       .unit = "us",
                       .paper = 6.79,
                       .predicted = value(256),
                       .osu = OsuPoint{256}},
                      {.id = "exanest.accelerator_16_512B",
                       .what = "the same, 512 B",
                       .unit = "us",
                       .paper = 13.38,
                       .predicted = value(512),
                       .osu = OsuPoint{512}}},
                     {"host.allreduce=ACCELERATOR"}));
  runs.push_back(osu("BCAST", "0..127", "1B",
                     {{.id = "exanest.bcast_512_1B",
                       .what = "osu_bcast 1 B, 512 ranks, slowest (paper: its model with published latencies)",
                       .unit = "us",
                       .paper = kMpsocSteps * 1.17 + kQfdbSteps * 1.293 + kMezzanineSteps * 1.579,
                       .predicted = slowest(1),
                       .osu = OsuPoint{1}}},
                     {"workload.placement.ranks_per_host=4"}));
  // The paper's model uses measured latencies; this one uses simulated ones.
  std::vector<PublishedFigure> broadcasts;
  for (const uint64_t size : kBroadcastSizes) {
    PublishedFigure figure;
    figure.id = fmt::format("exanest.bcast_512_{}B", size);
    figure.what = fmt::format("osu_bcast {} B, 512 ranks, slowest (paper: its model with simulated latencies)", size);
    figure.unit = "us";
    figure.predicted = slowest(size);
    figure.equation = [size](const Predictions& before) {
      const auto latency = [&](std::string_view path) {
        return predicted(before, fmt::format("exanest.latency_{}B_{}", size, path));
      };
      return kMpsocSteps * latency("mpsoc") + kQfdbSteps * latency("qfdb") + kMezzanineSteps * latency("mezzanine");
    };
    broadcasts.push_back(std::move(figure));
  }
  runs.push_back(osu("BCAST", "0..127", kBroadcastText, std::move(broadcasts),
                     {"workload.placement.ranks_per_host=4", "workload.osu.iterations=4"}));
}

/// A run of an application on one rank, whose time is the reference for others.
Run alone(const std::string& file, const std::string& id, std::vector<std::string> sets, bool slow = false) {
  Run run;
  run.file = file;
  run.sets = std::move(sets);
  run.slow = slow;
  run.sets.emplace_back("workload.skeleton.ranks=1");
  run.figures = {{.id = "exanest." + id, .what = id + " on one rank", .predicted = seconds, .shown = false}};
  return run;
}

/// An application on many ranks. Its parallel efficiency in percent is `work` times the time of run `one`, divided by
/// the time of all ranks.
struct Application {
  std::string id;
  std::string what;
  double paper = 0;
  std::string one;
  int ranks = 2;
  double work = 1;  ///< The size of the whole problem in multiples of that of `one`.
};

Run application(const std::string& file, const Application& figure, std::vector<std::string> sets, bool slow = false) {
  Run run;
  run.file = file;
  run.sets = std::move(sets);
  if (figure.ranks != 2) run.sets.push_back(fmt::format("workload.skeleton.ranks={}", figure.ranks));
  run.slow = slow;
  run.figures = {{.id = "exanest." + figure.id,
                  .what = figure.what,
                  .unit = "%",
                  .paper = figure.paper,
                  .predicted = [figure](const v1::Report& report, const Predictions& before) {
                    const double all = seconds(report, before) * figure.ranks;
                    return 100 * figure.work * predicted(before, "exanest." + figure.one) / all;
                  }}};
  return run;
}

void add_applications(std::vector<Run>& runs) {
  const std::string hpcg = "exanest-hpcg.textproto";
  const std::string minife = "exanest-minife.textproto";
  const std::string lammps = "exanest-lammps.textproto";
  const std::string box = "workload.skeleton.hpcg.local=";
  const std::string grid = "workload.skeleton.minife.global=";
  const std::string atoms = "workload.skeleton.lammps_rhodo.atoms=";
  runs.push_back(alone(hpcg, "hpcg_104_seconds", {}));
  runs.push_back(
      application(hpcg, {"hpcg_weak_2", "HPCG 104^3 a rank, 2 ranks, weak scaling", 96, "hpcg_104_seconds", 2, 2}, {}));
  runs.push_back(alone(hpcg, "hpcg_256_seconds", {box + "256x256x128"}));
  runs.push_back(application(hpcg,
                             {"hpcg_strong_2", "HPCG 256x256x128, 2 ranks, strong scaling", 92, "hpcg_256_seconds"},
                             {box + "128x256x128"}));
  runs.push_back(alone(minife, "minife_64_seconds", {grid + "64x64x64"}));
  runs.push_back(application(
      minife, {"minife_weak_2", "miniFE 64^3 a rank, 2 ranks, weak scaling", 86, "minife_64_seconds", 2, 2}, {}));
  runs.push_back(alone(minife, "minife_264_seconds", {grid + "264x264x264"}));
  runs.push_back(application(minife,
                             {"minife_strong_2", "miniFE 264^3, 2 ranks, strong scaling", 94, "minife_264_seconds"},
                             {grid + "264x264x264"}));
  runs.push_back(alone(lammps, "lammps_32000_seconds", {atoms + "32000"}));
  runs.push_back(application(lammps,
                             {"lammps_weak_2", "LAMMPS rhodopsin, 32 000 atoms a rank, 2 ranks, weak scaling", 96,
                              "lammps_32000_seconds", 2, 2},
                             {}));
  runs.push_back(application(lammps,
                             {"lammps_weak_4", "LAMMPS rhodopsin, 32 000 atoms a rank, 4 ranks, weak scaling", 89,
                              "lammps_32000_seconds", 4, 4},
                             {atoms + "128000"}, true));
  runs.push_back(application(
      lammps,
      {"lammps_strong_2", "LAMMPS rhodopsin, 32 000 atoms, 2 ranks, strong scaling", 97, "lammps_32000_seconds"},
      {atoms + "32000"}));
  // Fifty iterations would take days.
  const std::string one = "workload.skeleton.hpcg.reference_iterations=1";
  runs.push_back(alone(hpcg, "hpcg_104_once_seconds", {one}, true));
  runs.push_back(application(
      hpcg, {"hpcg_weak_512", "HPCG 104^3 a rank, 512 ranks, weak scaling", 87, "hpcg_104_once_seconds", 512, 512},
      {one}, true));
}

void add_accelerators(std::vector<Run>& runs) {
  Run run;
  run.file = "exanest-gemm.textproto";
  run.figures = {{.id = "exanest.gemm_fpga",
                  .what = "matrix-multiply accelerator of one FPGA, from its cycles a tile and what memory loses",
                  .unit = "Gflop/s",
                  .paper = 275,
                  .predicted = [](const v1::Report& report, const Predictions&) {
                    return report.has_gemm() || report.jobs_size() == 0 ? report.gemm().gflops()
                                                                        : report.jobs(0).gemm().gflops();
                  }}};
  runs.push_back(std::move(run));
}

}  // namespace

Reproduction exanest_reproduction() {
  Reproduction machine;
  machine.name = "exanest";
  machine.about = "the ExaNeSt prototype of 8 blades, 128 MPSoCs and 512 cores, with ExaNet-MPI";
  add_latencies(machine.runs);
  for (Run& run : exanest_paths()) machine.runs.push_back(std::move(run));
  add_bandwidths(machine.runs);
  add_collectives(machine.runs);
  add_accelerators(machine.runs);
  for (Run& run : ip_over_exanet_runs()) machine.runs.push_back(std::move(run));
  add_applications(machine.runs);
  machine.missing = {
      {"Matrix-multiply accelerators of a QFDB (more than 1 TFLOPS, 16.2 W, 17 GFLOPS/W; 153K LUT)",
       "the source does not say what the four exchange; models have neither power nor size"},
      {"IP before ExaNet carried it (1.3 Gb/s)", "the source does not say what its packets went over"},
      {"Weak and strong scaling to 512 ranks of miniFE and LAMMPS",
       "of 512 ranks the source has a number for HPCG only (--all); run exanest-minife and exanest-lammps with "
       "workload.skeleton.ranks=512 for a prediction"}};
  return machine;
}

}  // namespace fabrictwin::study::reproduction

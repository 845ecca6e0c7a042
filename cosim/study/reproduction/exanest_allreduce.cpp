// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The Allreduce accelerator of the ExaNeSt prototype beside software, over vectors and ranks.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "cosim/study/reproduction/readings.h"
#include "cosim/study/reproduction/reproduction.h"

namespace fabrictwin::study::reproduction {
namespace {

constexpr int kReducingRanks[] = {16, 32, 64, 128};

struct VectorSize {
  const char* text;
  uint64_t bytes;
};
constexpr VectorSize kVectorSizes[] = {{"4B", 4},         {"64B", 64},       {"256B", 256},    {"512B", 512},
                                       {"1KiB", 1 << 10}, {"2KiB", 2 << 10}, {"4KiB", 4 << 10}};

/// All sizes on so many ranks, one on each MPSoC, by software or by accelerators.
Run reduction_on(int ranks, const std::string& implementation) {
  Run run;
  run.file = "exanest.textproto";
  std::string sizes;
  for (const VectorSize& size : kVectorSizes) sizes += (sizes.empty() ? "" : ",") + std::string(size.text);
  run.sets = {"workload.osu.benchmark=ALLREDUCE", "workload.osu.iterations=4",
              fmt::format("workload.placement.hosts=0..{}", ranks - 1), "workload.osu.sizes=" + sizes,
              "host.allreduce=" + implementation};
  return run;
}

PublishedFigure latency_of(std::string id, uint64_t bytes) {
  PublishedFigure figure;
  figure.id = std::move(id);
  figure.unit = "us";
  figure.predicted = [bytes](const v1::Report& report, const Predictions&) { return result_of(report, bytes).value(); };
  return figure;
}

}  // namespace

Reproduction allreduce_reproduction() {
  Reproduction machine;
  machine.name = "allreduce";
  machine.about = "the Allreduce accelerator of the ExaNeSt prototype beside software";
  for (const int ranks : kReducingRanks) {
    Run software = reduction_on(ranks, "SOFTWARE");
    Run hardware = reduction_on(ranks, "ACCELERATOR");
    for (const VectorSize& size : kVectorSizes) {
      PublishedFigure& beside = software.figures.emplace_back(
          latency_of(fmt::format("allreduce.software_{}_{}", ranks, size.text), size.bytes));
      beside.what = fmt::format("osu_allreduce {}, {} ranks, software", size.text, ranks);
      beside.shown = false;
      PublishedFigure& figure =
          hardware.figures.emplace_back(latency_of(fmt::format("allreduce.{}_{}", ranks, size.text), size.bytes));
      figure.what = fmt::format("osu_allreduce {}, {} ranks, accelerator (paper: software here)", size.text, ranks);
      figure.equation = [id = beside.id](const Predictions& before) { return predicted(before, id); };
    }
    machine.runs.push_back(std::move(software));
    machine.runs.push_back(std::move(hardware));
  }
  return machine;
}

}  // namespace fabrictwin::study::reproduction

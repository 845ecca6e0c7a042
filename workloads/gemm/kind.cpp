// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A matrix multiplication in an experiment: docs/models/gemm.md.
#include "workloads/gemm/kind.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "cosim/report/values_text.h"
#include "fabrictwin/v1/report.pb.h"
#include "fmt/format.h"
#include "workloads/gemm/program.h"
#include "workloads/gemm/spec.h"
#include "workloads/mpi/job_kind.h"

namespace fabrictwin::gemm {
namespace {

using experiment::MessageReader;

constexpr int32_t kMaxSize = 16384;
constexpr int32_t kMaxCycles = 1'000'000'000;
constexpr int32_t kMaxLatency = 10000;

bool is_power_of_two(int32_t value) { return std::has_single_bit(static_cast<uint32_t>(value)); }

/// An engine whose every cycle is known.
void check_lanes(const MessageReader& engine, GemmSpec& spec) {
  spec.lanes = engine.number("lanes", 4, 128);
  spec.memory_latency = engine.number("memory_latency", 1, kMaxLatency);
  if (!is_power_of_two(spec.tile) || spec.tile < 8 || spec.tile > 128) {
    engine.complain_near("tile", fmt::format("tile {}: with lanes, write a power of two from 8 to 128", spec.tile));
  }
  if (!is_power_of_two(spec.lanes) || spec.lanes > spec.tile) {
    engine.complain("lanes",
                    fmt::format("lanes {}: write a power of two from 4 to the tile, {}", spec.lanes, spec.tile));
  }
  for (const char* name : {"cycles", "memory_rate"}) {
    if (engine.has(name))
      engine.complain(name, fmt::format("{0}: lanes says how long a tile takes; leave {0} out", name));
  }
}

void check_rtl(const v1::GemmEngine& message, const Accelerators& accelerators, const MessageReader& engine,
               GemmSpec& spec) {
  const bool rtl = engine.choice<v1::GemmEngine::Implementation>("implementation") == v1::GemmEngine::RTL;
  if (!rtl) {
    // An argument may have made models of what the file wants in RTL.
    if (message.rtl_ranks_size() > 0 && !engine.has("implementation"))
      engine.complain("rtl_ranks", "rtl_ranks: write implementation: RTL, too");
    return;
  }
  if (!accelerators.has) {
    engine.complain("implementation", "implementation RTL: this program has no accelerators in RTL; write MODEL");
  } else if (spec.lanes == 0 || !accelerators.has(spec.tile, spec.lanes)) {
    engine.complain(
        "implementation",
        fmt::format("implementation RTL: there are {}; write tile and lanes of one of them", accelerators.shapes));
  }
  spec.rtl_ranks = engine.numbers("rtl_ranks", 0, std::max(0, spec.rows * spec.columns - 1));
  for (int32_t rank = 0; message.rtl_ranks_size() == 0 && rank < spec.rows * spec.columns; ++rank)
    spec.rtl_ranks.push_back(rank);
  std::sort(spec.rtl_ranks.begin(), spec.rtl_ranks.end());
}

void check_engine(const v1::GemmEngine& message, const Accelerators& accelerators, const MessageReader& engine,
                  GemmSpec& spec) {
  spec.tile = engine.number("tile", 1, kMaxSize);
  if (engine.has("lanes")) {
    check_lanes(engine, spec);
  } else if (engine.has("memory_latency")) {
    engine.complain("memory_latency", "memory_latency only counts with lanes; write lanes, too");
  }
  check_rtl(message, accelerators, engine, spec);
  if (spec.lanes == 0 && spec.tile != engine.default_number("tile") && !engine.has("cycles")) {
    engine.complain("tile", fmt::format("tile {}: cycles says how long a tile takes; the default, {}, is for tiles of "
                                        "{}; write cycles, too",
                                        spec.tile, engine.default_of("cycles"), engine.default_of("tile")));
  }
  spec.tile_cycles = engine.number("cycles", 1, kMaxCycles);
  spec.clock = engine.quantity<Frequency>("clock", parse_frequency);
  spec.memory_rate = engine.quantity<Bandwidth>("memory_rate", parse_bandwidth);
  if (spec.memory_rate.bits_per_second == 0) {
    engine.complain("memory_rate",
                    fmt::format("memory_rate 0: no tile would ever be there; write a rate such as \"{}\"",
                                engine.default_of("memory_rate")));
  }
  spec.start_overhead = engine.quantity<Time>("start_overhead", parse_time);
}

void check_division(const MessageReader& reader, const GemmSpec& spec) {
  for (const auto& [name, across] : {std::pair("rows", spec.rows), std::pair("columns", spec.columns)}) {
    if (spec.size % (int64_t{across} * spec.tile) != 0) {
      reader.complain("size", fmt::format("size {}: {} {} of ranks with tiles of {} need a multiple of {}", spec.size,
                                          across, name, spec.tile, int64_t{across} * spec.tile));
    } else if (spec.size / across % spec.panel != 0 || spec.panel % spec.tile != 0) {
      reader.complain_near(
          "panel", fmt::format("panel {}: a panel is a multiple of a tile, {}, and divides the {} elements of a "
                               "rank ({})",
                               spec.panel, spec.tile, spec.size / across, name));
    }
  }
}

void add_result(const v1::JobReport& job, std::string& text) {
  const v1::GemmReport& gemm = job.gemm();
  text += fmt::format(
      "\n{}: gemm of {} x {} on {} x {} ranks{}\n  {}, {:.4g} Gflop/s, engines at work {}, result {} (largest relative "
      "error {:.3g})\n",
      job.name(), gemm.size(), gemm.size(), gemm.rows(), gemm.columns(),
      gemm.rtl_ranks().empty() ? "" : ", engines of ranks " + gemm.rtl_ranks() + " in RTL",
      report::seconds_text(gemm.seconds()), gemm.gflops(), report::percent_text(gemm.engine_utilization()),
      gemm.verified() ? "verified" : "NOT verified", gemm.max_relative_error());
}

class Gemm final : public mpi::JobKindOf<v1::Workload::kGemm, v1::Job::kGemm, v1::Gemm, GemmSpec> {
 public:
  explicit Gemm(Accelerators accelerators) : accelerators_(std::move(accelerators)) {}
  std::string_view ranks_field() const override { return "rows"; }

 private:
  GemmSpec check(v1::Gemm& gemm, const experiment::FileChecker& /*files*/, const MessageReader& reader) const override {
    GemmSpec spec;
    spec.size = reader.required("size", kMaxSize, "size: 1024");
    spec.rows = reader.required("rows", kMaxSize, "rows: 2");
    spec.columns = reader.required("columns", kMaxSize, "columns: 2");
    check_engine(gemm.engine(), accelerators_, reader.of(gemm.engine(), "engine"), spec);
    spec.overlap = gemm.overlap();
    spec.panel = reader.number("panel", 1, kMaxSize, spec.tile);
    // Invalid numbers have been replaced, so further checks of them would mislead.
    if (spec.size == gemm.size() && spec.rows == gemm.rows() && spec.columns == gemm.columns())
      check_division(reader, spec);
    return spec;
  }
  void add_results(const v1::JobReport& job, std::string& text) const override {
    if (job.has_gemm()) add_result(job, text);
  }
  std::string text(const GemmSpec& spec, const experiment::HostSpec& /*host*/) const override {
    std::string text = fmt::format("gemm of {0} x {0} on {1} x {2} ranks, tiles of {3}", spec.size, spec.rows,
                                   spec.columns, spec.tile);
    if (spec.lanes > 0) text += fmt::format(", {} lanes", spec.lanes);
    if (!spec.rtl_ranks.empty()) text += fmt::format(", {} engines in RTL", spec.rtl_ranks.size());
    if (spec.overlap) text += ", panels sent while engines work";
    return text;
  }
  absl::StatusOr<std::unique_ptr<mpi::JobProgram>> make(const GemmSpec& spec, const experiment::HostSpec& /*host*/,
                                                        int64_t /*space*/) const override {
    return make_gemm_program(spec, accelerators_);
  }

  Accelerators accelerators_;
};

}  // namespace

std::unique_ptr<const mpi::JobKind> make_kind(Accelerators accelerators) {
  return std::make_unique<Gemm>(std::move(accelerators));
}

}  // namespace fabrictwin::gemm

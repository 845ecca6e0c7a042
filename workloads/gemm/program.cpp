// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/gemm/program.h"

#include <algorithm>

#include "fmt/format.h"
#include "workloads/gemm/rank.h"

namespace fabrictwin::gemm {
namespace {

class GemmProgram final : public mpi::JobProgram {
 public:
  GemmProgram(const GemmSpec& spec, const Accelerators& accelerators) {
    state_.spec = spec;
    state_.accelerators = accelerators;
    state_.results.resize(static_cast<size_t>(spec.rows) * static_cast<size_t>(spec.columns));
    state_.here.resize(state_.results.size());
  }

  std::string name() const override { return fmt::format("gemm of {0} x {0}", state_.spec.size); }
  int32_t ranks() const override { return static_cast<int32_t>(state_.results.size()); }
  absl::StatusOr<std::unique_ptr<mpi::RankProgram>> make_rank(int32_t rank) override {
    return std::make_unique<Rank>(state_, rank);
  }
  uint64_t events(int32_t) const override {
    const GemmSpec& spec = state_.spec;
    const uint64_t in_row = spec.columns > 1 ? 1 : 0;
    const uint64_t in_column = spec.rows > 1 ? 1 : 0;
    const uint64_t waits = spec.overlap ? 1 : 0;
    return 3 + in_row + in_column + static_cast<uint64_t>(spec.size / spec.panel) * (1 + in_row + in_column + waits) +
           waits;
  }

  bool independent_ranks() const override { return true; }
  void report_part(v1::JobPart& part) const override {
    for (size_t rank = 0; rank < state_.results.size(); ++rank) {
      const State::Result& result = state_.results[rank];
      if (!result.ended) continue;
      v1::GemmRankPart& line = *part.add_gemm();
      line.set_rank(static_cast<int32_t>(rank));
      line.set_begin_fs(result.begin.fs());
      line.set_end_fs(result.end.fs());
      line.set_busy_fs(result.busy.fs());
      line.set_error(result.error);
    }
  }
  absl::Status add_part(const v1::JobPart& part) override {
    for (const v1::GemmRankPart& line : part.gemm()) {
      if (line.rank() < 0 || line.rank() >= ranks())
        return absl::DataLossError(
            fmt::format("{}: a place tells of rank {}, and there are {}", name(), line.rank(), ranks()));
      state_.results[static_cast<size_t>(line.rank())] = {.begin = Time::from_fs(line.begin_fs()),
                                                          .end = Time::from_fs(line.end_fs()),
                                                          .busy = Time::from_fs(line.busy_fs()),
                                                          .error = line.error(),
                                                          .ended = true};
    }
    return absl::OkStatus();
  }

  void report(v1::JobReport& report) const override {
    const GemmSpec& spec = state_.spec;
    v1::GemmReport& gemm = *report.mutable_gemm();
    gemm.set_size(spec.size);
    gemm.set_rows(spec.rows);
    gemm.set_columns(spec.columns);
    gemm.set_rtl_ranks(fmt::to_string(fmt::join(spec.rtl_ranks, ", ")));
    // There are no results of a multiplication that was stopped.
    if (!std::all_of(state_.results.begin(), state_.results.end(), [](const auto& result) { return result.ended; }))
      return;
    Time begin = Time::never();
    Time end;
    double busy = 0;
    double error = 0;
    for (const State::Result& result : state_.results) {
      begin = std::min(begin, result.begin);
      end = std::max(end, result.end);
      busy += result.busy.seconds();
      error = std::max(error, result.error);
    }
    const double seconds = (end - begin).seconds();
    gemm.set_seconds(seconds);
    if (seconds > 0) {
      const double size = spec.size;
      gemm.set_gflops(2 * size * size * size / seconds * 1e-9);
      gemm.set_engine_utilization(busy / static_cast<double>(state_.results.size()) / seconds);
    }
    gemm.set_max_relative_error(error);
    gemm.set_verified(error <= gemm_error_bound(spec.size));
  }

 private:
  State state_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<mpi::JobProgram>> make_gemm_program(const GemmSpec& spec,
                                                                   const Accelerators& accelerators) {
  if (!spec.rtl_ranks.empty() && !accelerators.make)
    return absl::UnimplementedError("gemm: this program has no accelerators in RTL");
  return std::make_unique<GemmProgram>(spec, accelerators);
}

}  // namespace fabrictwin::gemm

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

  void report(v1::JobReport& report) const override {
    const GemmSpec& spec = state_.spec;
    v1::GemmReport& gemm = *report.mutable_gemm();
    gemm.set_size(spec.size);
    gemm.set_rows(spec.rows);
    gemm.set_columns(spec.columns);
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

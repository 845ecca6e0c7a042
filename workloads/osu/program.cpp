// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/osu/program.h"

#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "workloads/osu/benchmark.h"
#include "workloads/osu/calls.h"
#include "workloads/osu/rank.h"
#include "workloads/osu/report.h"

namespace fabrictwin::osu {
namespace {

class OsuProgram final : public mpi::JobProgram {
 public:
  OsuProgram(const OsuSpec& spec, int32_t ranks)
      : spec_(spec), sizes_(osu_sizes(spec)), elapsed_(static_cast<size_t>(ranks)) {}

  std::string name() const override { return fmt::format("osu {}", osu_benchmark(spec_.benchmark).name); }
  int32_t ranks() const override { return static_cast<int32_t>(elapsed_.size()); }

  absl::StatusOr<std::unique_ptr<mpi::RankProgram>> make_rank(int32_t rank) override {
    return std::make_unique<Rank>(spec_, sizes_, rank, ranks(), &elapsed_[static_cast<size_t>(rank)]);
  }

  uint64_t events(int32_t rank) const override {
    const bool extra = spec_.benchmark == v1::Osu::MBW_MR;
    const auto iterations = static_cast<uint64_t>(spec_.warmup) + static_cast<uint64_t>(spec_.iterations);
    uint64_t events = 2;
    for (const Bytes size : sizes_) {
      const Iteration calls = osu_iteration(spec_, size, rank, ranks());
      events += 1 + (extra ? 1 : 0) + iterations * (calls.timed.size() + calls.after.size());
    }
    return events;
  }

  bool independent_ranks() const override { return true; }
  void report_part(v1::JobPart& part) const override {
    for (size_t rank = 0; rank < elapsed_.size(); ++rank) {
      if (elapsed_[rank].empty()) continue;
      v1::OsuRankPart& line = *part.add_osu();
      line.set_rank(static_cast<int32_t>(rank));
      for (const Time time : elapsed_[rank]) line.add_elapsed_fs(time.fs());
    }
  }
  absl::Status add_part(const v1::JobPart& part) override {
    for (const v1::OsuRankPart& line : part.osu()) {
      if (line.rank() < 0 || line.rank() >= ranks() || line.elapsed_fs_size() > static_cast<int>(sizes_.size()))
        return absl::DataLossError(
            fmt::format("{}: a place tells of rank {}, or of sizes, that it does not have", name(), line.rank()));
      std::vector<Time>& elapsed = elapsed_[static_cast<size_t>(line.rank())];
      elapsed.clear();
      for (const int64_t time : line.elapsed_fs()) elapsed.push_back(Time::from_fs(time));
    }
    return absl::OkStatus();
  }

  void report(v1::JobReport& report) const override { *report.mutable_osu() = osu_report(spec_, sizes_, elapsed_); }

 private:
  OsuSpec spec_;
  std::vector<Bytes> sizes_;
  std::vector<std::vector<Time>> elapsed_;  ///< By rank, then by size: the time of the measured iterations.
};

}  // namespace

absl::StatusOr<std::unique_ptr<mpi::JobProgram>> make_osu_program(const OsuSpec& spec, int32_t ranks) {
  if (absl::Status status = check_osu(spec, ranks); !status.ok()) return status;
  if (!osu_benchmark(spec.benchmark).mpi) {
    return absl::InvalidArgumentError(
        "one_way_lat measures network interfaces below MPI, so it cannot be one of several jobs; let it be the only "
        "workload");
  }
  return std::make_unique<OsuProgram>(spec, ranks);
}

}  // namespace fabrictwin::osu

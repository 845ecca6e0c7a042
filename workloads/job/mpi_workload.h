// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// MPI jobs as a workload.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/experiment/capabilities.h"
#include "cosim/experiment/experiment.h"
#include "models/host/workload.h"
#include "workloads/job/activity.h"
#include "workloads/job/placed_jobs.h"
#include "workloads/job/spec.h"
#include "workloads/mpi/rank_host.h"

namespace fabrictwin::job {

/// The jobs of an experiment, running concurrently: each rank on its host, according to the placements. It ends when
/// all jobs except background jobs have ended.
class MpiWorkload final : public host::Workload {
 public:
  /// `jobs` have ranks, on some of `hosts` hosts, whose network interfaces can do what `nic` says. With `background`,
  /// something else runs in the background. The run ends at `limit` at the latest. Keeps no reference to its arguments.
  MpiWorkload(std::vector<PlacedJob> jobs, experiment::HostSpec host, const experiment::NicCapabilities& nic,
              int32_t hosts, bool background, Time limit);
  /// Ranks whose processes are made from now on are followed as far as `statistics` asks for it.
  void follow(const experiment::StatisticsSpec& statistics);

  bool takes_part(int32_t node) const override;
  absl::StatusOr<std::unique_ptr<host::HostProcess>> make_process(int32_t node,
                                                                  observe::EndpointDigest* digest) override;
  /// False if there is anything in the background, which ends when others do.
  bool independent_hosts() const override;
  /// Only of jobs whose ranks do not measure anything together.
  std::string_view shared_among_hosts() const override;
  void report(v1::Report& report) const override;
  /// Ranks and jobs are reported where they are; the parts are what ranks have measured and, if that is asked for, what
  /// they did over time.
  bool report_part(v1::WorkloadPart& part) const override;
  absl::Status add_part(const v1::WorkloadPart& part) override;
  void report_parts(v1::Report& report) const override;
  void measure_sums(metric::Sink& sink) const override;
  double done() const override;
  std::vector<std::string> waits() const override;
  engine::Foreground foreground() const override;
  /// DeadlineExceeded if all jobs but those in the background wait for ever, as far as two calls can tell. Where other
  /// ranks are in other partitions, it can tell nothing (see foreground()).
  absl::Status check_progress(Time now);

 private:
  void add_job(PlacedJob job);
  absl::StatusOr<std::unique_ptr<mpi::RankProgram>> make_program(mpi::JobState& job, int32_t rank);
  void report_job(const mpi::JobState& job, v1::Report& report) const;
  static void report_single(v1::Report& report);
  /// How often a job in the background has ended, of which all partitions tell.
  static void report_rounds(std::span<const v1::RoundsPart> parts, v1::JobReport& line);
  static v1::RoundsPart rounds_of(const mpi::JobState& job);
  static void report_stuck(const std::string& name, std::span<const v1::RoundsPart> parts, v1::Report& report);
  /// Whether all ranks are in this partition.
  bool whole() const;
  static void report_stuck(const mpi::JobState& job, v1::Report& report);

  std::vector<JobSpec> specs_;  ///< By job.
  experiment::HostSpec host_;
  experiment::NicCapabilities nic_;
  Time limit_;
  std::shared_ptr<mpi::RankSystem> system_;
  std::optional<Activity> activity_;                 ///< Not set if nobody asks for it.
  v1::ActivityPart parts_;                           ///< Of other processes.
  std::vector<std::vector<v1::RoundsPart>> rounds_;  ///< By job: of partitions with its ranks.
  uint64_t moves_ = 0;  ///< Moves of all jobs that the run waits for, at the last check_progress().
  Time looked_;
};

}  // namespace fabrictwin::job

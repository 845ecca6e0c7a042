// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// MPI jobs as a workload.
#pragma once

#include <memory>
#include <vector>

#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"
#include "models/workload.h"
#include "workloads/mpi/rank_host.h"

namespace fabrictwin {

/// The jobs of an experiment, side by side: each rank on its host, as placements say. It ends when all jobs have that
/// are not in the background.
class MpiWorkload final : public Workload {
 public:
  /// Places the jobs on the hosts of `graph`. Errors (InvalidArgument, NotFound, Unimplemented, DataLoss) are
  /// diagnostics at the job or its placement. Keeps nothing of its arguments.
  static absl::StatusOr<std::unique_ptr<MpiWorkload>> create(const JobsSpec& spec, const Experiment& experiment,
                                                             const SystemGraph& graph);

  absl::StatusOr<std::unique_ptr<HostProcess>> make_process(int32_t node, EndpointDigest* digest) override;
  /// Not with jobs in the background, which end when others do.
  bool independent_hosts() const override;
  void report(v1::Report& report) const override;
  double done() const override;
  std::vector<std::string> waits() const override;

 private:
  MpiWorkload(JobsSpec spec, HostSpec host, int32_t hosts);

  absl::Status add_job(const JobSpec& job, const Experiment& experiment, const SystemGraph& graph);
  absl::Status check_room(const JobSpec& job, const std::vector<int32_t>& host_of, const SystemGraph& graph);
  absl::StatusOr<std::unique_ptr<RankProgram>> make_program(JobState& job, int32_t rank);
  absl::Status check_progress(Time now);
  void report_job(const JobState& job, v1::Report& report) const;
  static void report_stuck(const JobState& job, v1::Report& report);

  JobsSpec spec_;
  HostSpec host_;
  std::shared_ptr<RankSystem> system_;
  std::vector<int32_t> limits_;  ///< By host: ranks that it may have.
  uint64_t moves_ = 0;           ///< Of all jobs that the run waits for, when check_progress() last looked.
  Time looked_;
};

}  // namespace fabrictwin

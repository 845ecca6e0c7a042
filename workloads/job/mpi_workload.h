// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// MPI jobs as a workload.
#pragma once

#include <memory>
#include <vector>

#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "models/host/workload.h"
#include "workloads/job/spec.h"
#include "workloads/mpi/rank_host.h"

namespace fabrictwin::job {

/// The jobs of an experiment, running concurrently: each rank on its host, according to the placements. It ends when
/// all jobs except background jobs have ended.
class MpiWorkload final : public host::Workload {
 public:
  /// Places the jobs on the hosts of `graph`. Errors (InvalidArgument, NotFound, Unimplemented, DataLoss) are
  /// diagnostics at the job or its placement. Keeps no reference to its arguments.
  static absl::StatusOr<std::unique_ptr<MpiWorkload>> create(const JobsSpec& spec,
                                                             const experiment::Experiment& experiment,
                                                             const system::SystemGraph& graph);

  absl::StatusOr<std::unique_ptr<host::HostProcess>> make_process(int32_t node,
                                                                  observe::EndpointDigest* digest) override;
  /// False if there are background jobs, which end when others do.
  bool independent_hosts() const override;
  void report(v1::Report& report) const override;
  double done() const override;
  std::vector<std::string> waits() const override;

 private:
  MpiWorkload(JobsSpec spec, experiment::HostSpec host, int32_t hosts);

  absl::Status add_job(const JobSpec& job, const experiment::Experiment& experiment, const system::SystemGraph& graph);
  absl::Status check_room(const JobSpec& job, const std::vector<int32_t>& host_of, const system::SystemGraph& graph);
  absl::StatusOr<std::unique_ptr<mpi::RankProgram>> make_program(mpi::JobState& job, int32_t rank);
  absl::Status check_progress(Time now);
  void report_job(const mpi::JobState& job, v1::Report& report) const;
  static void report_stuck(const mpi::JobState& job, v1::Report& report);

  JobsSpec spec_;
  experiment::HostSpec host_;
  std::shared_ptr<mpi::RankSystem> system_;
  std::vector<int32_t> limits_;  ///< By host: the most ranks that it may have.
  uint64_t moves_ = 0;           ///< Moves of all jobs that the run waits for, at the last check_progress().
  Time looked_;
};

}  // namespace fabrictwin::job

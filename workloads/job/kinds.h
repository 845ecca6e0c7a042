// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Jobs in an experiment: docs/experiment-file.md.
#pragma once

#include <any>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/host/workload_kind.h"
#include "workloads/flows/flow_kind.h"
#include "workloads/job/check.h"
#include "workloads/mpi/job_kind.h"

namespace fabrictwin::job {

/// What workloads of jobs share: JobsSpec as checked values.
class Jobs : public host::WorkloadKind {
 public:
  std::string text(const experiment::Experiment& experiment) const final;
  absl::StatusOr<std::unique_ptr<host::Workload>> make(const experiment::Experiment& experiment,
                                                       const system::SystemGraph& graph) const final;
  /// Each job that is neither in the background nor traffic, alone, if the experiment asks for that.
  std::vector<experiment::Experiment> baselines(const experiment::Experiment& experiment) const final;
  void add_baselines(const experiment::Experiment& experiment, std::span<const v1::Report> baselines,
                     v1::Report& report) const final;
};

/// A job on its own: workload { mpi_trace { } }.
class SingleJob final : public Jobs {
 public:
  explicit SingleJob(const mpi::JobKind* kind) : kind_(*kind) {}

  v1::Workload::KindCase kind() const override { return kind_.workload(); }
  void check(experiment::Experiment& experiment, const experiment::FileChecker& files,
             experiment::FieldChecker& fields) const override;

 private:
  const mpi::JobKind& kind_;
};

/// Several jobs at once: workload { jobs { } }.
class SeveralJobs final : public Jobs {
 public:
  /// What `kinds` and `flows` refer to must outlive it.
  SeveralJobs(std::span<const mpi::JobKind* const> kinds, std::span<const flows::FlowKind* const> flows)
      : kinds_{kinds, flows} {}

  v1::Workload::KindCase kind() const override { return v1::Workload::kJobs; }
  void check(experiment::Experiment& experiment, const experiment::FileChecker& files,
             experiment::FieldChecker& fields) const override;
  /// Tells of all jobs, also of a job on its own.
  void add_results(const v1::Report& report, std::string& text) const override;

 private:
  KnownJobs kinds_;
};

}  // namespace fabrictwin::job

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// All workloads of this program, and with them all that experiments can name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cosim/experiment/experiment.h"
#include "cosim/experiment/tenants.h"
#include "models/host/workload_kind.h"
#include "workloads/flows/flow_kind.h"
#include "workloads/gemm/accelerators.h"
#include "workloads/job/kinds.h"
#include "workloads/mpi/job_kind.h"

namespace fabrictwin::workloads {

/// All kinds of workloads, in the order in which messages name them. Immutable; thread-safe.
class Kinds {
 public:
  /// Engines of matrix multiplications in RTL come from `accelerators`.
  explicit Kinds(gemm::Accelerators accelerators = {});
  Kinds(const Kinds&) = delete;
  Kinds& operator=(const Kinds&) = delete;

  std::span<const host::WorkloadKind* const> all() const { return all_; }
  /// What can run on the ranks of a job.
  std::span<const mpi::JobKind* const> jobs() const { return jobs_; }

 private:
  std::unique_ptr<const mpi::JobKind> gemm_;
  std::vector<const mpi::JobKind*> jobs_;
  std::vector<job::SingleJob> single_;
  job::SeveralJobs several_;
  std::vector<const host::WorkloadKind*> all_;
};

/// The kind of the workload of an experiment that has been checked.
const host::WorkloadKind& kind_of(const experiment::Experiment& experiment);

/// What a report has of its workload, as text for people, in the order of the kinds.
std::string results_text(const v1::Report& report);

/// These, all topologies and routing algorithms, and what routers, network interfaces and hardware can do, for
/// load_experiment(). There are no accelerators in RTL.
experiment::Tenants tenants();
/// What tenants() gives, with these workloads, which outlive the experiments.
experiment::Tenants tenants(const Kinds& kinds);

}  // namespace fabrictwin::workloads

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// GPCNeT as jobs side by side.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "models/host/workload.h"
#include "workloads/flows/flow_kind.h"
#include "workloads/gpcnet/spec.h"
#include "workloads/gpcnet/victim.h"
#include "workloads/job/jobs_workload.h"
#include "workloads/mpi/job_kind.h"

namespace fabrictwin::gpcnet {

/// The kinds of congestors: all-to-all, incast with messages, with puts, and broadcast with gets.
inline constexpr size_t kCongestors = 4;

/// Which host does what.
struct Roles {
  std::vector<int32_t> victims;
  std::array<std::vector<int32_t>, kCongestors> congestors;
};

/// Chooses the roles of `hosts` hosts at random. InvalidArgument if there are too few for each role to have two.
absl::StatusOr<Roles> random_roles(const GpcnetSpec& spec, int32_t hosts, uint64_t seed);

/// Victims, and congestors in the background unless the spec says that victims are isolated.
class Workload final : public host::Workload {
 public:
  /// Errors are diagnostics at the workload.
  static absl::StatusOr<std::unique_ptr<Workload>> create(const GpcnetSpec& spec,
                                                          const experiment::Experiment& experiment,
                                                          const system::SystemGraph& graph);

  bool takes_part(int32_t node) const override { return jobs_->takes_part(node); }
  absl::StatusOr<std::unique_ptr<host::HostProcess>> make_process(int32_t node,
                                                                  observe::EndpointDigest* digest) override {
    return jobs_->make_process(node, digest);
  }
  bool independent_hosts() const override { return jobs_->independent_hosts(); }
  std::span<const uint64_t> flow_bytes() const override { return jobs_->flow_bytes(); }
  std::span<uint64_t> count_flow_bytes() override { return jobs_->count_flow_bytes(); }
  std::vector<uint64_t> class_bytes() const override { return jobs_->class_bytes(); }
  std::string_view shared_among_hosts() const override { return jobs_->shared_among_hosts(); }
  engine::Foreground foreground() const override { return jobs_->foreground(); }
  std::vector<std::string> waits() const override { return jobs_->waits(); }
  double done() const override { return jobs_->done(); }
  void measure(metric::Sink& sink) const override { jobs_->measure(sink); }
  void measure_sums(metric::Sink& sink) const override { jobs_->measure_sums(sink); }
  void report(v1::Report& report) const override;
  void report_here(v1::Report& report) const override { jobs_->report_here(report); }
  bool report_part(v1::WorkloadPart& part) const override { return jobs_->report_part(part); }
  absl::Status add_part(const v1::WorkloadPart& part) override { return jobs_->add_part(part); }
  void report_parts(v1::Report& report) const override;
  bool parts_done() const override { return jobs_->parts_done(); }

 private:
  explicit Workload(const GpcnetSpec& spec) : spec_(spec) {}
  job::JobsSpec make_jobs(const Roles& roles, const experiment::Experiment& experiment);
  void report_rows(v1::Report& report) const;

  GpcnetSpec spec_;
  Roles roles_;
  std::vector<std::unique_ptr<mpi::JobKind>> kinds_;
  std::vector<std::unique_ptr<flows::FlowKind>> flow_kinds_;
  std::unique_ptr<job::JobsWorkload> jobs_;
  const VictimProgram* victims_ = nullptr;  ///< Belongs to `jobs_`.
};

}  // namespace fabrictwin::gpcnet

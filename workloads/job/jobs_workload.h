// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Jobs side by side as a workload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "models/host/workload.h"
#include "workloads/flows/workload.h"
#include "workloads/job/mpi_workload.h"
#include "workloads/job/placed_jobs.h"
#include "workloads/job/spec.h"
#include "workloads/traffic/workload.h"

namespace fabrictwin::job {

/// The jobs of an experiment, each on its hosts: those with ranks are an MpiWorkload, those of flows a flows::Workload,
/// and one may be traffic. It ends when all jobs except background jobs have ended.
class JobsWorkload final : public host::Workload {
 public:
  /// Places the jobs on the hosts of `graph`. Errors are those of place_jobs(). Keeps no reference to its arguments.
  static absl::StatusOr<std::unique_ptr<JobsWorkload>> create(const JobsSpec& spec,
                                                              const experiment::Experiment& experiment,
                                                              const system::SystemGraph& graph);

  bool takes_part(int32_t node) const override;
  absl::StatusOr<std::unique_ptr<host::HostProcess>> make_process(int32_t node,
                                                                  observe::EndpointDigest* digest) override;
  bool independent_hosts() const override;
  std::string_view shared_among_hosts() const override;
  bool end_is_cut(std::span<const int32_t> partition_of) const override {
    return traffic_ && traffic_->end_is_cut(partition_of);
  }
  engine::Foreground foreground() const override;
  std::span<const uint64_t> flow_bytes() const override;
  std::span<uint64_t> count_flow_bytes() override;
  std::vector<uint64_t> class_bytes() const override {
    return traffic_ ? traffic_->class_bytes() : std::vector<uint64_t>();
  }
  std::vector<std::string> waits() const override;
  void report(v1::Report& report) const override;
  /// Ranks are reported where they are, and traffic as a whole.
  void report_here(v1::Report& report) const override;
  bool report_part(v1::WorkloadPart& part) const override;
  absl::Status add_part(const v1::WorkloadPart& part) override;
  void report_parts(v1::Report& report) const override;
  bool parts_done() const override { return !traffic_ || !traffic_waits_ || traffic_->parts_done(); }
  void measure(metric::Sink& sink) const override;
  void measure_sums(metric::Sink& sink) const override;
  double done() const override;

 private:
  /// A job of flows, and its position among all that run.
  struct FlowJob {
    std::string name;
    bool background = false;
    int position = 0;
    size_t flows = 0;  ///< So many of `flows_` are its, in the order of jobs.
  };

  JobsWorkload() = default;
  absl::Status add(std::vector<PlacedJob> placed, const JobsSpec& spec, const experiment::Experiment& experiment,
                   const system::SystemGraph& graph);
  absl::Status add_traffic(PlacedJob job, const experiment::Experiment& experiment, const system::SystemGraph& graph);
  void report_flows(v1::Report& report) const;
  void report_flow_jobs(v1::Report& report) const;
  void report_flow_job(size_t group, v1::Report& report) const;
  /// Tells the job of each flow.
  void report_jobs_of_flows(v1::Report& report) const;

  std::unique_ptr<MpiWorkload> ranks_;          ///< Null if no job has ranks.
  std::unique_ptr<flows::Workload> flows_;      ///< Null if there is no job of flows.
  std::vector<FlowJob> flow_jobs_;              ///< By group of `flows_`.
  std::unique_ptr<traffic::Workload> traffic_;  ///< Null if no job is traffic.
  bool traffic_waits_ = false;                  ///< It is not in the background.
};

}  // namespace fabrictwin::job

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One run, from the plan to the report.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/connection_security.h"
#include "cosim/engine/executor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/observe/metric_report.h"
#include "cosim/observe/packet_trace.h"
#include "cosim/run/place_connector.h"
#include "cosim/run/place_runtime.h"
#include "cosim/run/registry.h"
#include "cosim/run/run_look.h"
#include "cosim/system/plan.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::run {

struct RunOptions {
  int threads = 1;
  bool pin = false;
  bool idle_jump = true;
  std::chrono::milliseconds watchdog{30'000};
  std::vector<WaveRequest> waves;
  std::string executable;       ///< See ConnectorOptions.
  ConnectionSecurity security;  ///< See ConnectorOptions.
  std::string name{};           ///< See ConnectorOptions.
  observe::MessageLog* messages =
      nullptr;  ///< Records the messages of all hosts and outlives the run; null if they are not recorded.
  MetricSampler* metrics = nullptr;  ///< Samples metrics at simulated times and outlives the run; null if nobody does.
};

/// The content of a progress line.
struct RunProgress {
  Time simulated;  ///< The time of the slowest partition.
  uint64_t events = 0;
  std::string
      waited_for;    ///< The partition that acts next and for which all others wait; empty unless there is exactly one.
  double done = -1;  ///< The fraction of the workload that is done, or -1 if not known.
};

enum class RunState {
  kRunning,
  kComplete,
  kEndedEarly,  ///< It failed, was interrupted or was stopped; the report is partial.
};

/// Values for metrics, sampled while the run goes on.
struct RunSample {
  std::vector<v1::PartitionReport> partitions;
  std::vector<TransportCounters> transports;
  Time simulated;
  double wall_seconds = 0;  ///< Negative where it means nothing, as at a simulated time.
  double done = -1;         ///< As of RunProgress.
  RunState state = RunState::kRunning;
  RunLook look;                        ///< Without partitions at a simulated time.
  observe::MetricReports measures;     ///< From Partition::measure(), here and at other places.
  const v1::Report* result = nullptr;  ///< The report of a run that has ended, which lives as long as the run.
};

/// One run: plan (create), then wire, simulate and report (execute). execute() is called once; progress(), look()
/// and ask() may be called from any other thread, sample() from one other thread at a time.
class Run {
 public:
  /// Plans the experiment without starting anything. `connector` may be empty if every place is in this process.
  static absl::StatusOr<std::unique_ptr<Run>> create(experiment::Experiment experiment, Registry registry,
                                                     ConnectorFactory connector, RunOptions options);
  ~Run();

  const experiment::Experiment& experiment() const { return experiment_; }
  const system::Plan& plan() const { return plan_; }

  /// Wires and simulates until the workload ends. Cancelled if `stop` was requested, another error if the run failed;
  /// in both cases report() holds what is known and is marked as incomplete.
  absl::Status execute(std::stop_token stop);
  /// True if execute() failed because this process could not build its parts or its workload, so that nothing was
  /// simulated and there is nothing to report.
  bool refused() const { return refused_; }

  /// The report of what ran. Call it after execute().
  const v1::Report& report() const { return report_; }
  /// The traced packets; null without statistics.packet_trace. Call it after execute().
  const observe::PacketTrace* packet_trace() const { return packet_trace_.get(); }

  RunProgress progress() const;
  /// What partitions do now. It takes no locks and asks no other process, so it may be called often. Thread-safe.
  RunLook look() const;
  /// As look(), with busy times of partitions in other processes that answer. It takes a message to each of them, and
  /// waits for 200 ms for one that does not answer. Thread-safe.
  RunLook ask() const;
  /// Waits until a partition of models is between two advances; if that takes long, its measures are those of the
  /// previous sample. Call it from one thread at a time, which must not be that of execute().
  RunSample sample() const;
  /// Counters by channel, as of the last sample(), for metrics; the final numbers are in report(). Valid while the run
  /// exists.
  std::span<const link::LinkCounters> link_counters() const { return sampled_counters_; }

 private:
  Run(experiment::Experiment experiment, system::Plan plan, Registry registry, RunOptions options);
  absl::Status wire(const std::stop_token& stop);
  absl::Status add_remote_times(const absl::Status& status) const;
  std::string waited_for() const;
  double workload_done() const;
  void make_report(const absl::Status& status, double wall_seconds);
  /// Adds what the hosts of other places report. An error says what they wait for if not all of their work is done.
  absl::Status add_hosts(std::span<const v1::HostsReport> hosts, absl::Status status);
  /// Reports a workload of which partitions here and those of `hosts` have measured parts.
  absl::Status merge_parts(std::span<const v1::HostsReport> hosts);
  /// Reports the loads of links over time, of which partitions here and those of `places` have sampled parts.
  void merge_links(std::span<const v1::HostsReport> places);
  /// Puts together the messages and packets that partitions here and those of `places` have recorded. An error says
  /// that a place told what cannot be.
  absl::Status merge_records(std::span<const v1::HostsReport> places);
  void finish_digests();
  void report_packet_trace();
  void finish_links();
  /// Warns about waveforms that would begin after the end of the run.
  void warn_about_waves();
  /// Warns about faults that would begin after the end of the run.
  void warn_about_faults();

  experiment::Experiment experiment_;
  system::Plan plan_;
  Registry registry_;
  RunOptions options_;
  std::unique_ptr<PlaceConnector> connector_;
  std::unique_ptr<RunMemory> memory_;
  std::unique_ptr<observe::PacketTrace> packet_trace_;
  std::unique_ptr<PlaceRuntime> runtime_;
  std::unique_ptr<engine::Executor> executor_;
  bool refused_ = false;
  int threads_used_ = 0;
  std::vector<link::LinkCounters> counters_;  ///< For all places, at the end of the run.
  mutable std::vector<link::LinkCounters>
      sampled_counters_;  ///< Separate from counters_, so that a late scrape cannot change the report.
  mutable observe::MetricReports sampled_measures_;  ///< From partitions here, as of the last possible sample.
  std::atomic<bool> running_{false};
  std::atomic<RunState> state_{RunState::kRunning};
  std::atomic<double> wall_seconds_{0};         ///< The time that the whole run took, once it has ended.
  std::atomic<double> simulation_seconds_{-1};  ///< The time that the executor took; negative while it goes on.
  std::chrono::steady_clock::time_point start_;
  v1::Report report_;
};

}  // namespace fabrictwin::run

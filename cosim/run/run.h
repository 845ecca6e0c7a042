// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A run from load to report.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/engine/executor.h"
#include "cosim/run/experiment.h"
#include "cosim/run/packet_trace.h"
#include "cosim/run/place_connector.h"
#include "cosim/run/place_runtime.h"
#include "cosim/run/plan.h"
#include "cosim/run/registry.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin {

struct RunOptions {
  int threads = 1;
  bool pin = false;
  bool idle_jump = true;
  std::chrono::milliseconds watchdog{30'000};
  std::vector<WaveRequest> waves;
  std::string executable;          ///< See ConnectorOptions.
  MessageLog* messages = nullptr;  ///< Records the messages of all hosts; outlives the run. nullptr: they are not.
};

/// What a progress line shows.
struct RunProgress {
  Time simulated;  ///< Of the slowest partition.
  uint64_t events = 0;
  std::string slowest;
  double done = -1;  ///< Share of the workload that is done, or -1 if not known.
};

/// Values for metrics, sampled while the run goes on.
struct RunSample {
  std::vector<v1::PartitionReport> partitions;
  std::vector<TransportCounters> transports;
  Time simulated;
  double wall_seconds = 0;
  v1::Report measures;  ///< Partition::measure() of the models here.
};

/// One run: load, check, plan (create), wire (execute), run, report. execute() is called once; progress() from
/// any other thread, sample() from one other thread at a time.
class Run {
 public:
  /// Plans the experiment; nothing is started. `connector` may be empty if every place is in this process.
  static absl::StatusOr<std::unique_ptr<Run>> create(Experiment experiment, Registry registry,
                                                     ConnectorFactory connector, RunOptions options);
  ~Run();

  const Experiment& experiment() const { return experiment_; }
  const Plan& plan() const { return plan_; }

  /// Wires and simulates until the workload ends. Cancelled if `stop` was requested, another error if the run failed;
  /// in both cases report() holds what is known, marked as not complete.
  absl::Status execute(std::stop_token stop);
  /// Whether execute() failed because this place could not be built as the experiment says (its workload, its parts),
  /// so that nothing was simulated and there is nothing to report.
  bool refused() const { return refused_; }

  /// The report of the part that ran. After execute().
  const v1::Report& report() const { return report_; }
  /// The packets that were followed, null without statistics.packet_trace. After execute().
  const PacketTrace* packet_trace() const { return packet_trace_.get(); }

  RunProgress progress() const;
  /// Waits for a partition of models to come to the end of a stretch; if that takes long, its measures are those of the
  /// sample before. From one thread at a time, which is not that of execute().
  RunSample sample() const;
  /// By channel, as of the last sample() (for metrics; the final numbers are in report()). Valid while the run exists.
  std::span<const LinkCounters> link_counters() const { return sampled_counters_; }

 private:
  Run(Experiment experiment, Plan plan, Registry registry, RunOptions options);
  absl::Status wire();
  absl::Status add_remote_times(const absl::Status& status) const;
  void make_report(const absl::Status& status, double wall_seconds);
  void report_packet_trace();
  void take_measures() const;
  void finish_links();

  Experiment experiment_;
  Plan plan_;
  Registry registry_;
  RunOptions options_;
  std::unique_ptr<PlaceConnector> connector_;
  std::unique_ptr<RunMemory> memory_;
  std::unique_ptr<PacketTrace> packet_trace_;
  std::unique_ptr<PlaceRuntime> runtime_;
  std::unique_ptr<Executor> executor_;
  bool refused_ = false;
  int threads_used_ = 0;
  std::vector<LinkCounters> counters_;  ///< Of all places, at the end of the run.
  mutable std::vector<LinkCounters>
      sampled_counters_;                 ///< Apart from these, so that a late scrape cannot touch the report.
  mutable v1::Report sampled_measures_;  ///< Of the last time that could be looked.
  std::atomic<bool> running_{false};
  std::chrono::steady_clock::time_point start_;
  v1::Report report_;
};

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One run in a worker.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bridges/worker/stream.h"
#include "cosim/engine/executor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/run/place_runtime.h"
#include "cosim/run/registry.h"
#include "cosim/run/run_memory.h"
#include "cosim/system/plan.h"
#include "fabrictwin/v1/bridge.pb.h"
#include "fabrictwin/v1/hosts_report.pb.h"

namespace fabrictwin::bridges::worker {

/// The partitions of a place from configuration to final counters. All calls come from the worker's engine thread
/// unless noted.
class Session {
 public:
  /// Plans the experiment. Errors are those of Bridge.Configure. `registry` must outlive the session.
  static absl::StatusOr<std::unique_ptr<Session>> create(const v1::ConfigureRequest& request,
                                                         const run::Registry& registry, int max_threads);

  const std::string& run_id() const { return run_id_; }
  v1::BridgeTransport transport() const { return transport_; }
  bool connected() const { return executor_ != nullptr; }

  /// Builds the partitions. `fd` is the run's memory, or -1 if records travel in the stream.
  absl::Status connect(const v1::ConnectRequest& request, int fd);

  /// Makes the object that answers the messages of a stream. Called after connect(); the object lives as long as the
  /// session.
  Stream& start_stream();

  /// Simulates over shared memory until `stop` or an error. wake() from another thread wakes it after a stop request.
  absl::Status run_shared(std::stop_token stop);
  /// Wakes run_shared(). Thread-safe.
  void wake();

  /// Closes the files that partitions write. Called after the run.
  absl::Status close_files() { return runtime_->close_files(); }

  /// Adds what has been counted so far. Thread-safe once connected.
  void measure(google::protobuf::RepeatedPtrField<v1::ChannelCounters>& channels,
               google::protobuf::RepeatedPtrField<v1::PartitionReport>& partitions) const;
  /// What partitions have done so far, without counters of links, which take longer.
  void measure(google::protobuf::RepeatedPtrField<v1::PartitionReport>& partitions) const;
  /// What partitions have measured, as of the last call that found them between two advances. Called by one thread at a
  /// time, once connected.
  const observe::MetricReports& look();
  /// Adds what partitions have measured. Called after the run.
  void add_final_metrics(observe::MetricReports& metrics) const { runtime_->measure(true, metrics); }
  /// What hosts and links of this place have done, if there is something to report. Called after the run.
  bool has_report() const { return runtime_->has_report(); }
  void report_hosts(v1::HostsReport& report) const { runtime_->report_hosts(report); }

 private:
  Session() = default;

  std::string run_id_;
  int32_t place_ = 0;
  int threads_ = 1;
  v1::BridgeTransport transport_ = v1::BRIDGE_TRANSPORT_UNSPECIFIED;
  const run::Registry* registry_ = nullptr;
  std::vector<run::WaveRequest> waves_;
  std::optional<observe::MessageLog> messages_;  ///< How many messages to record; each partition has its own log.
  experiment::Experiment experiment_;
  system::Plan plan_;
  std::unique_ptr<run::RunMemory> memory_;
  std::unique_ptr<run::PlaceRuntime> runtime_;
  std::unique_ptr<engine::Executor> executor_;
  std::unique_ptr<Stream> stream_;
  observe::MetricReports metrics_;    ///< From the last look() that saw all partitions.
  std::atomic<int64_t> start_ns_{0};  ///< The steady clock when the run began; 0 before.
  std::atomic<int64_t> end_ns_{0};    ///< The steady clock when the run ended; 0 before.
};

}  // namespace fabrictwin::bridges::worker

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One run at a worker.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bridges/worker_stream.h"
#include "cosim/engine/executor.h"
#include "cosim/run/experiment.h"
#include "cosim/run/place_runtime.h"
#include "cosim/run/plan.h"
#include "cosim/run/registry.h"
#include "cosim/run/run_memory.h"
#include "fabrictwin/v1/bridge.pb.h"

namespace fabrictwin {

/// The partitions of a place from configuration to final counters. All calls come from the worker's engine thread
/// unless said otherwise.
class WorkerSession {
 public:
  /// Plans the experiment; errors as of Bridge.Configure. `registry` outlives the session.
  static absl::StatusOr<std::unique_ptr<WorkerSession>> create(const v1::ConfigureRequest& request,
                                                               const Registry& registry, int max_threads);

  const std::string& run_id() const { return run_id_; }
  v1::BridgeTransport transport() const { return transport_; }
  bool connected() const { return executor_ != nullptr; }

  /// Builds the partitions; `fd` is the run's memory, or -1 where records travel in the stream.
  absl::Status connect(const v1::ConnectRequest& request, int fd);

  /// Makes what answers the messages of a stream; after connect(). Lives as long as the session.
  WorkerStream& start_stream();

  /// Simulates over shared memory until `stop` or an error. `ring` from another thread wakes it after a request to
  /// stop.
  absl::Status run_shared(std::stop_token stop);
  /// Thread-safe.
  void wake();

  /// What was measured so far. Thread-safe once connected.
  void measure(google::protobuf::RepeatedPtrField<v1::ChannelCounters>& channels,
               google::protobuf::RepeatedPtrField<v1::PartitionReport>& partitions) const;

 private:
  WorkerSession() = default;

  std::string run_id_;
  int32_t place_ = 0;
  int threads_ = 1;
  v1::BridgeTransport transport_ = v1::BRIDGE_TRANSPORT_UNSPECIFIED;
  const Registry* registry_ = nullptr;
  std::vector<WaveRequest> waves_;
  Experiment experiment_;
  Plan plan_;
  std::unique_ptr<RunMemory> memory_;
  std::unique_ptr<PlaceRuntime> runtime_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<WorkerStream> stream_;
  std::atomic<int64_t> start_ns_{0};  ///< Steady clock when the run began; 0 before.
  std::atomic<int64_t> end_ns_{0};    ///< Likewise, when it ended.
};

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One remote place of a run, from its start to its final counters.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "bridges/local_process.h"
#include "bridges/pump_peer.h"
#include "cosim/run/counters.h"
#include "cosim/run/experiment.h"
#include "cosim/run/plan.h"
#include "cosim/run/registry.h"
#include "cosim/run/run_memory.h"
#include "fabrictwin/v1/bridge.grpc.pb.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin {

/// The caller's side of docs/bridge-protocol.md for one place, stream excepted. Errors name the place. One thread, but
/// for sample().
class RemotePlace {
 public:
  /// `place` is the index in `plan`, which outlives this. `run_id` names the run to all places.
  RemotePlace(const Plan& plan, int32_t place, std::string run_id);
  ~RemotePlace();
  RemotePlace(const RemotePlace&) = delete;
  RemotePlace& operator=(const RemotePlace&) = delete;

  /// Starts the processes of a local place with sockets in `folder`; nothing for a place that listens already.
  absl::Status launch(const std::string& executable, const std::string& folder);

  /// Waits until they listen, then hello and describe. May turn `transport` into kShm where both sides can.
  absl::Status join(Transport& transport);
  absl::Status configure(const Experiment& experiment, const std::vector<WaveRequest>& waves);
  absl::Status connect(RunMemory& memory, int busy_peers);
  std::unique_ptr<PumpPeer> make_peer(RunMemory& memory);

  /// Threads of this place that run on this host.
  int local_threads() const;

  /// Why the stream of this place is over although nobody closed it.
  absl::Status obituary(const PumpPeer& peer);

  /// Ends the run there; adds what was measured. `patience` is for the answer.
  absl::Status stop(std::span<LinkCounters> counters, v1::Report& report, std::chrono::milliseconds patience);
  /// Waits a moment for processes to end by themselves.
  void wait_end();

  /// Fetches counters while the run goes on. From any thread.
  void sample(std::span<LinkCounters> counters);

 private:
  absl::Status hello(Transport& transport);
  absl::Status describe();
  absl::Status check_board(const v1::DescribeResponse::Board& board) const;
  bool take_handover(const v1::HelloResponse& hello);
  void store(const google::protobuf::RepeatedPtrField<v1::ChannelCounters>& from, std::span<LinkCounters> to) const;
  const Place& place() const { return plan_.places[index_]; }
  const std::string& name() const { return place().name; }
  /// "worker:shm (pid 17)".
  std::string who() const;

  const Plan& plan_;
  const int32_t index_;
  const std::string run_id_;
  std::string address_;
  std::unique_ptr<LocalProcess> board_;
  std::unique_ptr<LocalProcess> process_;
  std::unique_ptr<v1::Bridge::Stub> stub_;
  int handover_ = -1;
  bool configured_ = false;
};

}  // namespace fabrictwin

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
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "bridges/caller/bridge_calls.h"
#include "bridges/caller/local_process.h"
#include "bridges/caller/place_tap.h"
#include "bridges/caller/pump_peer.h"
#include "cosim/base/connection_security.h"
#include "cosim/experiment/experiment.h"
#include "cosim/link/counters.h"
#include "cosim/observe/metric_report.h"
#include "cosim/run/place_connector.h"
#include "cosim/run/registry.h"
#include "cosim/run/run_memory.h"
#include "cosim/system/plan.h"
#include "fabrictwin/v1/bridge.grpc.pb.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::bridges::caller {

/// The caller's side of docs/bridge-protocol.md for one place, except for the stream. Errors name the place. Used
/// by one thread, except for sample() and ask_partitions().
class RemotePlace {
 public:
  /// `place` is an index into plan.places; `plan` must outlive this object. `run_id` identifies the run at all
  /// places. `security` is for a place that listens already, and has been checked (check_places()). `ranks` and `tap`
  /// outlive this object; the first is needed for a rank of MPI only, which it must have, and the second may be null.
  RemotePlace(const system::Plan& plan, int32_t place, std::string run_id, ConnectionSecurity security = {},
              RankLinks* ranks = nullptr, PlaceTap* tap = nullptr);
  ~RemotePlace();
  RemotePlace(const RemotePlace&) = delete;
  RemotePlace& operator=(const RemotePlace&) = delete;

  /// Starts the processes of a local place with sockets in `folder`; does nothing for one that runs already.
  absl::Status launch(const std::string& executable, const std::string& folder, const std::stop_token& stop);

  /// Waits until the place listens, then does hello and describe. May change `transport` to kShm if both sides can
  /// share memory, and `security` lets them.
  absl::Status join(system::Transport& transport, const std::stop_token& stop);
  absl::Status configure(const experiment::Experiment& experiment, const run::ConnectorOptions& options);
  absl::Status connect(run::RunMemory& memory, int busy_peers);
  std::unique_ptr<PumpPeer> make_peer(run::RunMemory& memory);

  /// The number of threads of this place that run on this host.
  int local_threads() const;

  /// The error for the stream of this place when it has ended although it was not closed.
  absl::Status obituary(const PumpPeer& peer);

  /// Ends the run at the place and adds its measurements, those of its hosts to `hosts`. `patience` is how long to wait
  /// for the answer.
  absl::Status stop(std::span<link::LinkCounters> counters, v1::Report& report, std::vector<v1::HostsReport>& hosts,
                    std::chrono::milliseconds patience);
  /// Closes the connection, without which a worker that serves one run does not end. No stream of make_peer() may exist
  /// any more, as it would keep the connection open. After this, only wait_end(), partitions() and metrics() may be
  /// called.
  void close_connection();
  /// Waits briefly for processes to end by themselves, and terminates those that do not, with a warning if the place
  /// had ended the run.
  void wait_end();

  /// Fetches counters while the run goes on. May be called from any thread, but not concurrently with stop().
  void sample(std::span<link::LinkCounters> counters);
  /// Fetches partition reports only, which takes the place less time. False if it does not answer soon. To be called as
  /// sample(), and not concurrently with it.
  bool ask_partitions();
  /// The latest partition reports of the place, from sample(), ask_partitions() or stop().
  const std::vector<v1::PartitionReport>& partitions() const { return partitions_; }
  /// The latest metrics of its partitions, each with the place as label `place`.
  const observe::MetricReports& metrics() const { return metrics_; }

 private:
  /// Opens the connection.
  void open();
  absl::Status hello(system::Transport& transport);
  /// The error of a place that has not answered, for the reason that gRPC gives.
  absl::Status unreachable(const std::string& reason) const;
  absl::Status describe();
  absl::Status check_board(const v1::DescribeResponse::Board& board) const;
  bool may_share_memory() const;
  bool take_handover(const v1::HelloResponse& hello);
  void store(const google::protobuf::RepeatedPtrField<v1::ChannelCounters>& from,
             std::span<link::LinkCounters> to) const;
  /// Adds its partitions with what they have told so far: it does not answer any more.
  void report_lost(v1::Report& report) const;
  void keep(const google::protobuf::RepeatedPtrField<v1::PartitionReport>& partitions);
  void keep(const observe::MetricReports& metrics);
  const system::Place& place() const { return plan_.places[index_]; }
  const std::string& name() const { return place().name; }
  /// The name for errors: "worker:shm (pid 17)".
  std::string who() const;

  const system::Plan& plan_;
  const int32_t index_;
  const std::string run_id_;
  ConnectionSecurity security_;
  std::string address_;
  std::unique_ptr<LocalProcess> board_;
  std::unique_ptr<LocalProcess> process_;
  RankLinks* const ranks_;
  PlaceTap* const tap_;
  std::unique_ptr<v1::Bridge::Stub> stub_;  ///< Null of a rank of MPI.
  std::unique_ptr<BridgeCalls> calls_;
  bool here_ = false;  ///< Whether it has said that it runs on this host.
  int handover_ = -1;
  bool configured_ = false;
  bool stopped_ = false;  ///< Whether it has ended the run and said so.
  std::vector<v1::PartitionReport> partitions_;
  observe::MetricReports metrics_;
};

}  // namespace fabrictwin::bridges::caller

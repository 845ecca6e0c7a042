// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The bridge service of a worker.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "bridges/protocol/fd_handover.h"
#include "bridges/server/server.h"
#include "bridges/server/service_metrics.h"
#include "bridges/server/task_thread.h"
#include "bridges/worker/session.h"
#include "cosim/run/registry.h"
#include "fabrictwin/v1/bridge.grpc.pb.h"
#include "spdlog/spdlog.h"

namespace fabrictwin::bridges::worker {

/// Serves one run after another. gRPC calls the methods on its own threads; everything that accesses partitions is done
/// on one engine thread.
class Service final : public v1::Bridge::Service {
 public:
  /// With `once`, `end` is requested when a run has ended. `end` must outlive the service.
  Service(run::Registry registry, int threads, bool once, server::ServerEnd& end);
  ~Service() override;

  /// What the worker does now, or did in its last run.
  server::ServiceState state();

  grpc::Status Hello(grpc::ServerContext* context, const v1::HelloRequest* request,
                     v1::HelloResponse* response) override;
  grpc::Status Describe(grpc::ServerContext* context, const v1::DescribeRequest* request,
                        v1::DescribeResponse* response) override;
  grpc::Status Configure(grpc::ServerContext* context, const v1::ConfigureRequest* request,
                         v1::ConfigureResponse* response) override;
  grpc::Status Connect(grpc::ServerContext* context, const v1::ConnectRequest* request,
                       v1::ConnectResponse* response) override;
  grpc::Status Run(grpc::ServerContext* context,
                   grpc::ServerReaderWriter<v1::RunResponse, v1::RunRequest>* stream) override;
  grpc::Status Metrics(grpc::ServerContext* context, const v1::MetricsRequest* request,
                       v1::MetricsResponse* response) override;
  grpc::Status Stop(grpc::ServerContext* context, const v1::StopRequest* request, v1::StopResponse* response) override;

 private:
  using RunStream = grpc::ServerReaderWriter<v1::RunResponse, v1::RunRequest>;
  enum class State { kFree, kConfigured, kConnected, kRunning, kEnded };

  absl::Status run(RunStream& stream, v1::RunRequest& request);
  absl::Status run_in_stream(RunStream& stream, v1::RunRequest& request);
  absl::Status run_in_shared_memory(RunStream& stream);
  /// FailedPrecondition unless the session is that of `run_id`. The lock must be held.
  absl::Status check_run(const std::string& run_id) const;
  /// The log level for runs: they are of interest only to people who started the worker themselves.
  spdlog::level::level_enum level() const { return once_ ? spdlog::level::debug : spdlog::level::info; }
  /// Destroys the session on the engine thread.
  void forget(std::unique_ptr<Session> session);
  /// Keeps what partitions have counted when their run has ended. The lock must be held.
  void remember();

  const run::Registry registry_;
  const int threads_;
  const bool once_;
  server::ServerEnd& end_;
  std::unique_ptr<protocol::HandoverListener> handover_;  ///< Null if it is not available.
  std::mutex setup_;  ///< Held during Configure, Connect and Stop, which may take long.
  std::mutex mutex_;  ///< Guards the members below but for the engine.
  State state_ = State::kFree;
  std::unique_ptr<Session> session_;
  uint64_t runs_ = 0;                      ///< That have begun.
  server::ServiceState::Partitions last_;  ///< Those of the run that has ended last.
  server::TaskThread engine_;
};

}  // namespace fabrictwin::bridges::worker

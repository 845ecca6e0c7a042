// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The bridge service of a worker.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "bridges/bridge_server.h"
#include "bridges/fd_handover.h"
#include "bridges/task_thread.h"
#include "bridges/worker_session.h"
#include "cosim/run/registry.h"
#include "fabrictwin/v1/bridge.grpc.pb.h"
#include "spdlog/spdlog.h"

namespace fabrictwin {

/// Serves one run after another. gRPC calls the methods on threads of its own; everything that touches partitions moves
/// to one engine thread.
class WorkerService final : public v1::Bridge::Service {
 public:
  /// With `once`, `end` is requested when a run has ended. `end` outlives the service.
  WorkerService(Registry registry, int threads, bool once, ServerEnd& end);
  ~WorkerService() override;

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
  using Stream = grpc::ServerReaderWriter<v1::RunResponse, v1::RunRequest>;
  enum class State { kFree, kConfigured, kConnected, kRunning, kEnded };

  absl::Status run(Stream& stream, v1::RunRequest& request);
  absl::Status run_in_stream(Stream& stream, v1::RunRequest& request);
  absl::Status run_in_shared_memory(Stream& stream);
  /// FailedPrecondition unless the session is that of `run_id`. Under the lock.
  absl::Status check_run(const std::string& run_id) const;
  /// Runs are news to people who started the worker themselves.
  spdlog::level::level_enum level() const { return once_ ? spdlog::level::debug : spdlog::level::info; }
  /// Ends the session on the engine thread.
  void forget(std::unique_ptr<WorkerSession> session);

  const Registry registry_;
  const int threads_;
  const bool once_;
  ServerEnd& end_;
  std::unique_ptr<HandoverListener> handover_;  ///< Null where it cannot be had.
  std::mutex setup_;                            ///< Held through Configure, Connect and Stop, which take their time.
  std::mutex mutex_;                            ///< Guards the two below.
  State state_ = State::kFree;
  std::unique_ptr<WorkerSession> session_;
  TaskThread engine_;
};

}  // namespace fabrictwin

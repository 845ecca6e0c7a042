// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The bridge service of a board agent.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "bridges/board/shell/clock_mode.h"
#include "bridges/board/stream.h"
#include "bridges/board/window.h"
#include "bridges/server/server.h"
#include "bridges/server/service_metrics.h"
#include "cosim/observe/metric_report.h"
#include "fabrictwin/v1/bridge.grpc.pb.h"

namespace fabrictwin::bridges::board {

/// Serves one run after another on behalf of the board behind `window`. Thread-safe, because gRPC calls it from its own
/// threads.
class Service final : public v1::Bridge::Service {
 public:
  /// `ports` are those of the element, at most as many as the window is for. With `once`, `end` is requested when a run
  /// has ended. Arguments must outlive the service.
  Service(Window& window, int32_t ports, shell::ClockMode clock, bool once, server::ServerEnd& end);

  /// What the board does now, or did in its last run.
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
  enum class State { kFree, kConfigured, kConnected, kRunning, kEnded };

  absl::Status write_registers(const v1::ElementConfig& element);
  /// Makes the board start `run`, or stop if it is 0, and waits until it has done so.
  absl::Status command(uint32_t run);
  absl::Status check_run(const std::string& run_id) const;
  void measure(google::protobuf::RepeatedPtrField<v1::ChannelCounters>& channels) const;
  void measure(google::protobuf::RepeatedPtrField<v1::PartitionReport>& partitions) const;
  void measure(observe::MetricReports& metrics) const;
  /// Keeps what the board has counted. The lock must be held.
  void remember();

  Window& window_;
  Registers& registers_;
  const int32_t ports_;
  const shell::ClockMode clock_;
  const bool once_;
  server::ServerEnd& end_;
  std::mutex mutex_;  ///< Guards all members below.
  State state_ = State::kFree;
  std::string run_id_;
  std::string name_;
  int32_t partition_ = 0;
  uint32_t run_ = 0;
  std::chrono::steady_clock::time_point start_;
  std::vector<Channel> channels_;
  uint64_t runs_ = 0;                      ///< That have begun.
  server::ServiceState::Partitions last_;  ///< What the board had counted when its last run ended.
};

}  // namespace fabrictwin::bridges::board

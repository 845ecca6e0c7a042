// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A place with one defect: what stands between a caller and a worker that is right.
#pragma once

#include <grpcpp/grpcpp.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "fabrictwin/v1/bridge.grpc.pb.h"

namespace fabrictwin {

/// What is wrong. Each gets what the worker has said, and may change it; what is empty changes nothing.
struct Defect {
  std::function<grpc::Status(grpc::Status, v1::HelloResponse&)> hello;
  std::function<void(v1::DescribeResponse&)> describe;
  /// Gets whether a run goes on, too.
  std::function<grpc::Status(grpc::Status, bool running)> configure;
  std::function<grpc::Status(grpc::Status)> connect;
  /// Gets the number of the Run stream, from 1. Nothing is sent for what is null.
  std::function<void(int run, v1::RunResponse&)> answer;
  std::function<grpc::Status(grpc::Status)> ended;
  std::function<grpc::Status(grpc::Status, const v1::MetricsRequest&)> metrics;
  std::function<grpc::Status(grpc::Status, v1::StopResponse&)> stop;
  int silent_from = 0;      ///< Answers no request of this Run stream and later ones; 0: all are answered.
  bool swallows = false;    ///< Goes on when the worker ends the run.
  bool keeps_runs = false;  ///< Thinks that a caller that has gone is still there.
};

/// Serves the protocol in this process, by what a worker answers and a defect.
class MutantPlace final : public v1::Bridge::Service {
 public:
  /// Listens at `listen` and asks the worker at `worker`, both "unix:PATH".
  MutantPlace(const std::string& listen, const std::string& worker, Defect defect);
  ~MutantPlace() override;

  grpc::Status Hello(grpc::ServerContext*, const v1::HelloRequest*, v1::HelloResponse*) override;
  grpc::Status Describe(grpc::ServerContext*, const v1::DescribeRequest*, v1::DescribeResponse*) override;
  grpc::Status Configure(grpc::ServerContext*, const v1::ConfigureRequest*, v1::ConfigureResponse*) override;
  grpc::Status Connect(grpc::ServerContext*, const v1::ConnectRequest*, v1::ConnectResponse*) override;
  grpc::Status Run(grpc::ServerContext*, grpc::ServerReaderWriter<v1::RunResponse, v1::RunRequest>*) override;
  grpc::Status Metrics(grpc::ServerContext*, const v1::MetricsRequest*, v1::MetricsResponse*) override;
  grpc::Status Stop(grpc::ServerContext*, const v1::StopRequest*, v1::StopResponse*) override;

 private:
  const Defect defect_;
  std::unique_ptr<v1::Bridge::Stub> worker_;
  std::unique_ptr<grpc::Server> server_;
  std::mutex mutex_;
  int runs_ = 0;
  bool running_ = false;
  bool left_ = false;  ///< A caller has gone in the middle of a run.
};

/// A record of a message as the protocol page has it.
struct MutantRecord {
  uint64_t words[6] = {};
  uint32_t channel = 0;
  uint8_t kind = 0;
  uint8_t vc = 0;
  uint8_t count = 0;
  uint8_t flags = 0;
  int64_t stamp = 0;
};
static_assert(sizeof(MutantRecord) == 64);

/// Calls `change` for each record of a message.
void for_each_record(v1::RunResponse& response, const std::function<void(MutantRecord&)>& change);
/// Leaves out the records for which `gone` is true.
void erase_records(v1::RunResponse& response, const std::function<bool(const MutantRecord&)>& gone);
void add_record(v1::RunResponse& response, const MutantRecord& record);

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/caller/grpc_calls.h"

#include <grpcpp/grpcpp.h>

#include <chrono>

namespace fabrictwin::bridges::caller {
namespace {

class GrpcCalls final : public BridgeCalls {
 public:
  explicit GrpcCalls(v1::Bridge::Stub& stub) : stub_(stub) {}

  grpc::Status hello(const v1::HelloRequest& request, v1::HelloResponse& response, Patience patience) override {
    return call(&v1::Bridge::Stub::Hello, request, response, patience);
  }
  grpc::Status describe(const v1::DescribeRequest& request, v1::DescribeResponse& response,
                        Patience patience) override {
    return call(&v1::Bridge::Stub::Describe, request, response, patience);
  }
  grpc::Status configure(const v1::ConfigureRequest& request, v1::ConfigureResponse& response,
                         Patience patience) override {
    return call(&v1::Bridge::Stub::Configure, request, response, patience);
  }
  grpc::Status connect(const v1::ConnectRequest& request, v1::ConnectResponse& response, Patience patience) override {
    return call(&v1::Bridge::Stub::Connect, request, response, patience);
  }
  grpc::Status metrics(const v1::MetricsRequest& request, v1::MetricsResponse& response, Patience patience) override {
    return call(&v1::Bridge::Stub::Metrics, request, response, patience);
  }
  grpc::Status stop(const v1::StopRequest& request, v1::StopResponse& response, Patience patience) override {
    return call(&v1::Bridge::Stub::Stop, request, response, patience);
  }

 private:
  template <typename Request, typename Response>
  grpc::Status call(grpc::Status (v1::Bridge::Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                    const Request& request, Response& response, Patience patience) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + patience);
    return (stub_.*method)(&context, request, &response);
  }

  v1::Bridge::Stub& stub_;
};

class GrpcStream final : public RunStream {
 public:
  explicit GrpcStream(v1::Bridge::Stub& stub) : stub_(stub) {}

  void start(grpc::CompletionQueue& queue, void* tag) override {
    stream_ = stub_.PrepareAsyncRun(&context_, &queue);
    stream_->StartCall(tag);
  }
  void read(v1::RunResponse* response, void* tag) override { stream_->Read(response, tag); }
  void write(const v1::RunRequest& request, void* tag) override { stream_->Write(request, tag); }
  void writes_done(void* tag) override { stream_->WritesDone(tag); }
  void finish(grpc::Status* status, void* tag) override { stream_->Finish(status, tag); }
  void cancel() override { context_.TryCancel(); }

 private:
  v1::Bridge::Stub& stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientAsyncReaderWriter<v1::RunRequest, v1::RunResponse>> stream_;
};

}  // namespace

std::unique_ptr<BridgeCalls> make_grpc_calls(v1::Bridge::Stub& stub) { return std::make_unique<GrpcCalls>(stub); }

std::unique_ptr<RunStream> make_grpc_stream(v1::Bridge::Stub& stub) { return std::make_unique<GrpcStream>(stub); }

}  // namespace fabrictwin::bridges::caller

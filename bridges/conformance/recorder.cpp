// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/conformance/recorder.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <utility>

namespace fabrictwin::bridges::conformance {

class Recorder::Calls final : public caller::BridgeCalls {
 public:
  Calls(Recorder& recorder, std::unique_ptr<caller::BridgeCalls> calls)
      : recorder_(recorder), calls_(std::move(calls)) {}

  grpc::Status hello(const v1::HelloRequest& request, v1::HelloResponse& response, Patience patience) override {
    const grpc::Status status = calls_->hello(request, response, at_most(patience));
    recorder_.conversation_.hello = response;
    auto& transports = *response.mutable_transports();
    transports.erase(std::remove(transports.begin(), transports.end(), v1::BRIDGE_TRANSPORT_SHARED_MEMORY),
                     transports.end());
    return status;
  }
  grpc::Status describe(const v1::DescribeRequest& request, v1::DescribeResponse& response,
                        Patience patience) override {
    const grpc::Status status = calls_->describe(request, response, at_most(patience));
    recorder_.conversation_.describe = response;
    return status;
  }
  grpc::Status configure(const v1::ConfigureRequest& request, v1::ConfigureResponse& response,
                         Patience patience) override {
    recorder_.on_configure(request);
    return calls_->configure(request, response, at_most(patience));
  }
  grpc::Status connect(const v1::ConnectRequest& request, v1::ConnectResponse& response, Patience patience) override {
    return calls_->connect(request, response, at_most(patience));
  }
  grpc::Status metrics(const v1::MetricsRequest& request, v1::MetricsResponse& response, Patience patience) override {
    return calls_->metrics(request, response, patience);
  }
  grpc::Status stop(const v1::StopRequest& request, v1::StopResponse& response, Patience patience) override {
    const grpc::Status status = calls_->stop(request, response, at_most(patience));
    recorder_.conversation_.stop = response;
    return status;
  }

 private:
  Patience at_most(Patience patience) const { return std::min(patience, recorder_.timeout_); }

  Recorder& recorder_;
  const std::unique_ptr<caller::BridgeCalls> calls_;
};

/// Has a queue of its own, so that it sees when an answer is there.
class Recorder::Stream final : public caller::RunStream {
 public:
  Stream(Recorder& recorder, std::unique_ptr<caller::RunStream> stream)
      : recorder_(recorder), stream_(std::move(stream)) {}
  ~Stream() override {
    queue_.Shutdown();
    void* tag = nullptr;
    bool ok = false;
    while (queue_.Next(&tag, &ok)) {
    }
  }

  void start(grpc::CompletionQueue&, void* tag) override { stream_->start(queue_, tag); }
  void read(v1::RunResponse* response, void* tag) override {
    response_ = response;
    read_ = tag;
    stream_->read(response, tag);
  }
  void write(const v1::RunRequest& request, void* tag) override {
    recorder_.on_request(request);
    stream_->write(request, tag);
  }
  void writes_done(void* tag) override { stream_->writes_done(tag); }
  void finish(grpc::Status* status, void* tag) override { stream_->finish(status, tag); }
  void cancel() override { stream_->cancel(); }
  bool polled() const override { return true; }

  std::optional<caller::StreamEvent> poll() override {
    caller::StreamEvent event;
    if (queue_.AsyncNext(&event.tag, &event.ok, std::chrono::system_clock::time_point()) !=
        grpc::CompletionQueue::GOT_EVENT)
      return std::nullopt;
    if (event.tag == read_ && event.ok) recorder_.on_response(*response_);
    return event;
  }

 private:
  Recorder& recorder_;
  grpc::CompletionQueue queue_;
  const std::unique_ptr<caller::RunStream> stream_;
  v1::RunResponse* response_ = nullptr;
  void* read_ = nullptr;
};

std::unique_ptr<caller::BridgeCalls> Recorder::tap(std::unique_ptr<caller::BridgeCalls> calls) {
  return std::make_unique<Calls>(*this, std::move(calls));
}

std::unique_ptr<caller::RunStream> Recorder::tap(std::unique_ptr<caller::RunStream> stream) {
  return std::make_unique<Stream>(*this, std::move(stream));
}

void Recorder::on_configure(const v1::ConfigureRequest& configure) {
  conversation_.configure = configure;
  if (absl::StatusOr<ChannelMap> map = ChannelMap::of(configure); map.ok()) map_ = *std::move(map);
  if (map_.has_value() && findings_ != nullptr) rules_.emplace(*map_, *findings_, "in the run");
}

void Recorder::on_request(const v1::RunRequest& request) {
  conversation_.messages.emplace_back(request);
  if (rules_.has_value()) rules_->on_request(request);
}

void Recorder::on_response(const v1::RunResponse& response) {
  conversation_.messages.emplace_back(response);
  if (rules_.has_value()) rules_->on_response(response);
}

}  // namespace fabrictwin::bridges::conformance

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/worker/service.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <stop_token>
#include <thread>
#include <utility>

#include "bridges/protocol/protocol.h"
#include "bridges/protocol/rpc_status.h"
#include "cosim/base/text.h"
#include "fmt/format.h"
#include "spdlog/spdlog.h"

namespace fabrictwin::bridges::worker {
namespace {

constexpr std::chrono::seconds kHandoverPatience{10};

}  // namespace

Service::Service(run::Registry registry, int threads, bool once, server::ServerEnd& end)
    : registry_(std::move(registry)), threads_(threads), once_(once), end_(end) {
  absl::StatusOr<std::unique_ptr<protocol::HandoverListener>> handover = protocol::HandoverListener::create();
  if (handover.ok()) {
    handover_ = *std::move(handover);
  } else {
    spdlog::warn("no shared memory with other processes: {}", message_of(handover.status()));
  }
}

Service::~Service() { forget(std::move(session_)); }

grpc::Status Service::Hello(grpc::ServerContext*, const v1::HelloRequest* request, v1::HelloResponse* response) {
  const absl::Status versions =
      protocol::check_versions("the caller", request->min_version(), request->max_version(), request->software());
  if (!versions.ok()) return protocol::to_grpc(versions);
  *response = protocol::make_hello_response();
  if (registry_.model) response->add_implementations(v1::MODEL);
  if (registry_.rtl) response->add_implementations(v1::RTL);
  response->add_transports(v1::BRIDGE_TRANSPORT_STREAM);
  if (handover_) {
    response->add_transports(v1::BRIDGE_TRANSPORT_SHARED_MEMORY);
    response->set_handover_socket(handover_->name());
  }
  return grpc::Status::OK;
}

grpc::Status Service::Describe(grpc::ServerContext*, const v1::DescribeRequest*, v1::DescribeResponse* response) {
  const std::lock_guard lock(mutex_);
  response->mutable_worker()->set_threads(threads_);
  if (state_ == State::kRunning) response->set_run_id(session_->run_id());
  return grpc::Status::OK;
}

grpc::Status Service::Configure(grpc::ServerContext*, const v1::ConfigureRequest* request, v1::ConfigureResponse*) {
  const std::lock_guard setup(setup_);
  std::unique_ptr<Session> old;
  {
    const std::lock_guard lock(mutex_);
    if (state_ == State::kRunning) {
      return {grpc::StatusCode::UNAVAILABLE, fmt::format("the worker is busy with run {}", session_->run_id())};
    }
    remember();
    old = std::move(session_);
    state_ = State::kFree;
  }
  forget(std::move(old));
  absl::Status status;
  engine_.call([&] {
    absl::StatusOr<std::unique_ptr<Session>> session = Session::create(*request, registry_, threads_);
    const std::lock_guard lock(mutex_);
    status = session.status();
    if (!session.ok()) return;
    session_ = *std::move(session);
    state_ = State::kConfigured;
  });
  if (status.ok()) spdlog::log(level(), "run {} configured as place {}", request->run_id(), request->place());
  return protocol::to_grpc(status);
}

grpc::Status Service::Connect(grpc::ServerContext*, const v1::ConnectRequest* request, v1::ConnectResponse*) {
  const std::lock_guard setup(setup_);
  Session* session = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (absl::Status status = check_run(request->run_id()); !status.ok()) return protocol::to_grpc(status);
    if (state_ != State::kConfigured) return {grpc::StatusCode::FAILED_PRECONDITION, "the run is already connected"};
    session = session_.get();
  }
  int fd = -1;
  if (request->transport() == v1::BRIDGE_TRANSPORT_SHARED_MEMORY) {
    if (!handover_) return {grpc::StatusCode::UNIMPLEMENTED, "this worker cannot share memory"};
    const absl::StatusOr<int> received = handover_->receive(request->run_id(), kHandoverPatience);
    if (!received.ok()) return protocol::to_grpc(received.status());
    fd = *received;
  } else if (request->transport() != v1::BRIDGE_TRANSPORT_STREAM) {
    return {grpc::StatusCode::INVALID_ARGUMENT, "unknown transport"};
  }
  absl::Status status;
  engine_.call([&] { status = session->connect(*request, fd); });
  const std::lock_guard lock(mutex_);
  if (status.ok()) state_ = State::kConnected;
  return protocol::to_grpc(status);
}

grpc::Status Service::Run(grpc::ServerContext* context, RunStream* stream) {
  v1::RunRequest request;
  if (!stream->Read(&request)) return {grpc::StatusCode::FAILED_PRECONDITION, "the stream has no first message"};
  {
    const std::lock_guard setup(setup_);
    const std::lock_guard lock(mutex_);
    if (absl::Status status = check_run(request.run_id()); !status.ok()) return protocol::to_grpc(status);
    if (state_ != State::kConnected)
      return {grpc::StatusCode::FAILED_PRECONDITION, "the run is not connected, or has been run"};
    state_ = State::kRunning;
    ++runs_;
  }
  spdlog::log(level(), "run {} begins", session_->run_id());
  const absl::Status status = session_->transport() == v1::BRIDGE_TRANSPORT_STREAM ? run_in_stream(*stream, request)
                                                                                   : run_in_shared_memory(*stream);
  spdlog::log(level(), "run {} ends{}{}", session_->run_id(), status.ok() ? "" : ": ", message_of(status));
  const std::lock_guard lock(mutex_);
  state_ = State::kEnded;
  // A caller that has disappeared will not call Stop.
  if (once_ && context->IsCancelled()) end_.request();
  return protocol::to_grpc(status);
}

absl::Status Service::run_in_stream(RunStream& stream, v1::RunRequest& request) {
  absl::Status status;
  engine_.call([&] {
    Stream& loop = session_->start_stream();
    v1::RunResponse response;
    do {
      status = loop.answer(request, response);
    } while (status.ok() && stream.Write(response) && stream.Read(&request));
  });
  return status;
}

absl::Status Service::run_in_shared_memory(RunStream& stream) {
  absl::Status status;
  v1::RunResponse started;
  started.set_consumed(1);
  stream.Write(started);
  std::stop_source stop;
  std::jthread run([&] {
    engine_.call([&] { status = session_->run_shared(stop.get_token()); });
    if (status.ok()) return;
    // The caller must be told of the failure, since this stream ends only when the caller ends it.
    v1::RunResponse response;
    response.set_error_code(static_cast<int32_t>(status.code()));
    response.set_error_message(std::string(message_of(status)));
    stream.Write(response);
  });
  v1::RunRequest request;
  while (stream.Read(&request)) {
  }
  stop.request_stop();
  session_->wake();
  run.join();
  return status;
}

grpc::Status Service::Metrics(grpc::ServerContext*, const v1::MetricsRequest* request, v1::MetricsResponse* response) {
  const std::lock_guard lock(mutex_);
  if (absl::Status status = check_run(request->run_id()); !status.ok()) return protocol::to_grpc(status);
  if (state_ != State::kRunning) return grpc::Status::OK;
  if (request->partitions_only()) {
    session_->measure(*response->mutable_partitions());
    return grpc::Status::OK;
  }
  session_->measure(*response->mutable_channels(), *response->mutable_partitions());
  *response->mutable_metrics() = session_->look();
  return grpc::Status::OK;
}

grpc::Status Service::Stop(grpc::ServerContext*, const v1::StopRequest* request, v1::StopResponse* response) {
  const std::lock_guard setup(setup_);
  std::unique_ptr<Session> session;
  absl::Status closed;
  {
    const std::lock_guard lock(mutex_);
    if (absl::Status status = check_run(request->run_id()); !status.ok()) return protocol::to_grpc(status);
    if (state_ == State::kRunning)
      return {grpc::StatusCode::FAILED_PRECONDITION, "the run is going on; end its stream first"};
    if (session_->connected()) {
      closed = session_->close_files();
      // This comes first, because some partitions update their counters for it.
      v1::HostsReport hosts;
      session_->report_hosts(hosts);
      session_->measure(*response->mutable_channels(), *response->mutable_partitions());
      session_->add_final_metrics(*response->mutable_metrics());
      if (session_->has_report()) hosts.SerializeToString(response->mutable_hosts());
    }
    remember();
    session = std::move(session_);
    state_ = State::kFree;
  }
  forget(std::move(session));
  if (once_) end_.request();
  return protocol::to_grpc(closed);
}

absl::Status Service::check_run(const std::string& run_id) const {
  if (session_ != nullptr && session_->run_id() == run_id) return absl::OkStatus();
  return absl::FailedPreconditionError(
      fmt::format("this worker is not configured for run {}{}", run_id,
                  session_ == nullptr ? "" : fmt::format(", but for run {}", session_->run_id())));
}

void Service::remember() {
  if (state_ != State::kEnded) return;
  google::protobuf::RepeatedPtrField<v1::ChannelCounters> channels;
  last_.Clear();
  session_->measure(channels, last_);
}

server::ServiceState Service::state() {
  const std::lock_guard lock(mutex_);
  server::ServiceState state;
  state.runs = runs_;
  if (state_ == State::kRunning) {
    state.run = session_->run_id();
    google::protobuf::RepeatedPtrField<v1::ChannelCounters> channels;
    session_->measure(channels, state.partitions);
  } else {
    remember();
    state.partitions = last_;
  }
  return state;
}

void Service::forget(std::unique_ptr<Session> session) {
  if (session != nullptr) engine_.call([&] { session.reset(); });
}

}  // namespace fabrictwin::bridges::worker

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/mpi/worker.h"

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "bridges/mpi/messages.h"
#include "bridges/protocol/backoff.h"
#include "bridges/protocol/fd_handover.h"
#include "bridges/protocol/protocol.h"
#include "bridges/worker/session.h"
#include "cosim/base/text.h"
#include "fabrictwin/v1/bridge.pb.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::mpi {
namespace {

constexpr int kCaller = 0;
constexpr std::chrono::seconds kHandoverPatience{10};
/// Between two looks for messages while another thread simulates, which needs the core more.
constexpr std::chrono::milliseconds kLook{1};

/// What worker::Service is for gRPC, with one thread for everything: messages wait while it simulates. Where memory is
/// shared with rank 0, a second thread takes messages meanwhile.
class RankServer {
 public:
  RankServer(World& world, const run::Registry& registry) : world_(world), registry_(registry) {
    absl::StatusOr<std::unique_ptr<protocol::HandoverListener>> handover = protocol::HandoverListener::create();
    // Without it records are messages, as between machines.
    if (handover.ok()) handover_ = *std::move(handover);
  }

  absl::Status serve() {
    protocol::Backoff backoff;
    while (true) {
      absl::StatusOr<std::optional<Message>> message = world_.receive(kCaller, World::kAny);
      if (!message.ok()) return message.status();
      if (!message->has_value()) {
        backoff.wait();
        continue;
      }
      backoff.reset();
      if ((*message)->tag == kBye) return world_.send(kCaller, kBye, {});
      if (absl::Status status = take(**message); !status.ok()) return status;
    }
  }

 private:
  enum class State { kFree, kConfigured, kConnected, kRunning, kFailed, kEnded };

  absl::Status take(const Message& message) {
    switch (message.tag) {
      case kHello:
        return answer<v1::HelloRequest, v1::HelloResponse>(message, &RankServer::hello);
      case kDescribe:
        return answer<v1::DescribeRequest, v1::DescribeResponse>(message, &RankServer::describe);
      case kConfigure:
        return answer<v1::ConfigureRequest, v1::ConfigureResponse>(message, &RankServer::configure);
      case kConnect:
        return answer<v1::ConnectRequest, v1::ConnectResponse>(message, &RankServer::connect);
      case kMetrics:
        return answer<v1::MetricsRequest, v1::MetricsResponse>(message, &RankServer::metrics);
      case kStop:
        return answer<v1::StopRequest, v1::StopResponse>(message, &RankServer::stop);
      case kRun:
        return message.bytes.empty() ? end_run() : run(message.bytes);
      default:
        return absl::DataLossError(fmt::format("protocol error: rank 0 sends a message with the tag {}", message.tag));
    }
  }

  /// Answers a call with what `method` makes of it.
  template <typename Request, typename Response>
  absl::Status answer(const Message& message, absl::Status (RankServer::*method)(const Request&, Response&)) {
    const absl::StatusOr<CallMessage> call = call_of(message.bytes);
    if (!call.ok()) return call.status();
    Request request;
    Response response;
    const absl::Status status = request.ParseFromString(call->body)
                                    ? (this->*method)(request, response)
                                    : absl::DataLossError("protocol error: the call cannot be read");
    const AnswerMessage made{call->number, static_cast<int32_t>(status.code()),
                             status.ok() ? response.SerializeAsString() : std::string(message_of(status))};
    return world_.send(kCaller, message.tag, to_bytes(made));
  }

  absl::Status hello(const v1::HelloRequest& request, v1::HelloResponse& response) {
    const absl::Status versions =
        protocol::check_versions("the caller", request.min_version(), request.max_version(), request.software());
    if (!versions.ok()) return versions;
    response = protocol::make_hello_response();
    if (registry_.model) response.add_implementations(v1::MODEL);
    if (registry_.rtl) response.add_implementations(v1::RTL);
    response.add_transports(v1::BRIDGE_TRANSPORT_STREAM);
    if (handover_ != nullptr) {
      response.add_transports(v1::BRIDGE_TRANSPORT_SHARED_MEMORY);
      response.set_handover_socket(handover_->name());
    }
    return absl::OkStatus();
  }

  absl::Status describe(const v1::DescribeRequest&, v1::DescribeResponse& response) {
    response.mutable_worker()->set_threads(1);
    if (state_ == State::kRunning) response.set_run_id(session_->run_id());
    return absl::OkStatus();
  }

  absl::Status configure(const v1::ConfigureRequest& request, v1::ConfigureResponse&) {
    if (state_ == State::kRunning)
      return absl::UnavailableError(fmt::format("the worker is busy with run {}", session_->run_id()));
    // A process holds one SystemC context, so the old run goes first.
    session_.reset();
    state_ = State::kFree;
    absl::StatusOr<std::unique_ptr<worker::Session>> session = worker::Session::create(request, registry_, 1);
    if (!session.ok()) return session.status();
    session_ = *std::move(session);
    state_ = State::kConfigured;
    return absl::OkStatus();
  }

  absl::Status connect(const v1::ConnectRequest& request, v1::ConnectResponse&) {
    if (absl::Status status = check_run(request.run_id()); !status.ok()) return status;
    if (state_ != State::kConfigured) return absl::FailedPreconditionError("the run is already connected");
    int fd = -1;
    if (request.transport() == v1::BRIDGE_TRANSPORT_SHARED_MEMORY) {
      if (handover_ == nullptr) return absl::UnimplementedError("this rank cannot share memory");
      const absl::StatusOr<int> received = handover_->receive(request.run_id(), kHandoverPatience);
      if (!received.ok()) return received.status();
      fd = *received;
    } else if (request.transport() != v1::BRIDGE_TRANSPORT_STREAM) {
      return absl::InvalidArgumentError("unknown transport");
    }
    const absl::Status status = session_->connect(request, fd);
    if (status.ok()) state_ = State::kConnected;
    return status;
  }

  absl::Status run(const std::string& bytes) {
    // Rank 0 has not yet seen the error, or has cancelled the run: nothing of it is of use.
    if (state_ == State::kFailed) return absl::OkStatus();
    v1::RunRequest request;
    v1::RunResponse response;
    absl::Status status = request.ParseFromString(bytes)
                              ? begin_run(request)
                              : absl::DataLossError("protocol error: a message cannot be read");
    if (status.ok() && session_->transport() == v1::BRIDGE_TRANSPORT_SHARED_MEMORY) return run_in_shared_memory();
    if (status.ok()) status = stream_->answer(request, response);
    if (status.ok()) return world_.send(kCaller, kRun, response.SerializeAsString());
    state_ = State::kFailed;
    return send_failure(status);
  }

  absl::Status send_failure(const absl::Status& failure) {
    v1::RunResponse response;
    response.set_error_code(static_cast<int32_t>(failure.code()));
    response.set_error_message(std::string(message_of(failure)));
    return world_.send(kCaller, kRun, response.SerializeAsString());
  }

  /// Simulates until rank 0 ends the stream.
  absl::Status run_in_shared_memory() {
    v1::RunResponse started;
    started.set_consumed(1);
    if (absl::Status sent = world_.send(kCaller, kRun, started.SerializeAsString()); !sent.ok()) return sent;
    std::stop_source stop;
    absl::Status received;
    std::jthread receiver([&] {
      received = take_until_end();
      stop.request_stop();
      session_->wake();
    });
    // Rank 0 must be told of a failure, since it alone ends the stream.
    absl::Status told;
    if (const absl::Status status = session_->run_shared(stop.get_token()); !status.ok()) told = send_failure(status);
    receiver.join();
    if (!received.ok()) return received;
    return told.ok() ? end_run() : told;
  }

  /// Answers calls while another thread simulates, until rank 0 ends the stream.
  absl::Status take_until_end() {
    while (true) {
      absl::StatusOr<std::optional<Message>> message = world_.receive(kCaller, World::kAny);
      if (!message.ok()) return message.status();
      if (!message->has_value()) {
        std::this_thread::sleep_for(kLook);
        continue;
      }
      if ((*message)->tag != kRun) {
        if (absl::Status status = take(**message); !status.ok()) return status;
      } else if ((*message)->bytes.empty()) {
        return absl::OkStatus();
      }
    }
  }

  /// Begins the stream with its first message.
  absl::Status begin_run(const v1::RunRequest& request) {
    if (state_ == State::kRunning) return absl::OkStatus();
    if (absl::Status status = check_run(request.run_id()); !status.ok()) return status;
    if (state_ != State::kConnected) return absl::FailedPreconditionError("the run is not connected, or has been run");
    if (session_->transport() == v1::BRIDGE_TRANSPORT_STREAM) stream_ = &session_->start_stream();
    state_ = State::kRunning;
    return absl::OkStatus();
  }

  absl::Status end_run() {
    stream_ = nullptr;
    state_ = session_ == nullptr ? State::kFree : State::kEnded;
    return world_.send(kCaller, kRun, {});
  }

  absl::Status metrics(const v1::MetricsRequest& request, v1::MetricsResponse& response) {
    if (absl::Status status = check_run(request.run_id()); !status.ok()) return status;
    if (state_ != State::kRunning) return absl::OkStatus();
    if (request.partitions_only()) {
      session_->measure(*response.mutable_partitions());
      return absl::OkStatus();
    }
    session_->measure(*response.mutable_channels(), *response.mutable_partitions());
    *response.mutable_metrics() = session_->look();
    return absl::OkStatus();
  }

  absl::Status stop(const v1::StopRequest& request, v1::StopResponse& response) {
    if (absl::Status status = check_run(request.run_id()); !status.ok()) return status;
    if (state_ == State::kRunning) return absl::FailedPreconditionError("the run is going on; end its stream first");
    absl::Status closed;
    if (session_->connected()) {
      closed = session_->close_files();
      // This comes first, because some partitions update their counters for it.
      v1::HostsReport hosts;
      session_->report_hosts(hosts);
      session_->measure(*response.mutable_channels(), *response.mutable_partitions());
      session_->add_final_metrics(*response.mutable_metrics());
      if (session_->has_report()) hosts.SerializeToString(response.mutable_hosts());
    }
    session_.reset();
    state_ = State::kFree;
    return closed;
  }

  absl::Status check_run(const std::string& run_id) const {
    if (session_ != nullptr && session_->run_id() == run_id) return absl::OkStatus();
    return absl::FailedPreconditionError(
        fmt::format("this worker is not configured for run {}{}", run_id,
                    session_ == nullptr ? "" : fmt::format(", but for run {}", session_->run_id())));
  }

  World& world_;
  const run::Registry& registry_;
  std::unique_ptr<protocol::HandoverListener> handover_;  ///< Null if this rank cannot share memory.
  State state_ = State::kFree;
  std::unique_ptr<worker::Session> session_;
  worker::Stream* stream_ = nullptr;  ///< That of the session, while it runs and records are messages.
};

}  // namespace

absl::Status serve_rank(World& world, const run::Registry& registry) { return RankServer(world, registry).serve(); }

}  // namespace fabrictwin::bridges::mpi

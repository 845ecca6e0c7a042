// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/conformance/place.h"

#include <unistd.h>

#include <utility>

#include "bridges/caller/grpc_calls.h"
#include "bridges/protocol/protocol.h"
#include "bridges/protocol/rpc_status.h"
#include "bridges/protocol/tls.h"
#include "cosim/base/text.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::conformance {
namespace {

/// How long a place may take a request that it may as well hold back.
constexpr std::chrono::milliseconds kHeldBack{300};

absl::Status late(std::chrono::milliseconds timeout, const std::string& what) {
  return absl::DeadlineExceededError(fmt::format("hangs: {} within {} ms", what, timeout.count()));
}

}  // namespace

PlaceStream::PlaceStream(std::unique_ptr<caller::RunStream> stream, std::chrono::milliseconds timeout)
    : timeout_(timeout), stream_(std::move(stream)) {}

PlaceStream::~PlaceStream() {
  cancel();
  queue_.Shutdown();
  void* tag = nullptr;
  bool ok = false;
  // What is pending ends soon after it was cancelled.
  while (queue_.Next(&tag, &ok)) {
  }
}

void* PlaceStream::tag(Operation operation) {
  pending_[operation] = true;
  return &pending_[operation];
}

bool PlaceStream::await(Operation operation, std::chrono::milliseconds at_most) {
  const auto deadline = std::chrono::system_clock::now() + at_most;
  void* tag = nullptr;
  bool ok = false;
  while (pending_[operation]) {
    if (queue_.AsyncNext(&tag, &ok, deadline) != grpc::CompletionQueue::GOT_EVENT) return false;
    const auto ended = static_cast<bool*>(tag) - pending_;
    pending_[ended] = false;
    ok_[ended] = ok;
  }
  return true;
}

absl::Status PlaceStream::start() {
  stream_->start(queue_, tag(kStart));
  return await(kStart, timeout_) ? absl::OkStatus() : late(timeout_, "Run does not begin");
}

void PlaceStream::begin_write(const v1::RunRequest& request) {
  request_ = request;
  stream_->write(request_, tag(kWrite));
}

bool PlaceStream::written(std::chrono::milliseconds at_most) { return await(kWrite, at_most); }

absl::Status PlaceStream::write(const v1::RunRequest& request) {
  begin_write(request);
  return written(timeout_) ? absl::OkStatus() : late(timeout_, fmt::format("request {} is not read", request.number()));
}

absl::StatusOr<std::optional<v1::RunResponse>> PlaceStream::read() {
  if (!pending_[kRead]) stream_->read(&response_, tag(kRead));
  if (!await(kRead, timeout_)) return late(timeout_, "there is no answer");
  if (!ok_[kRead]) return std::nullopt;
  return response_;
}

void PlaceStream::half_close() { stream_->writes_done(tag(kWritesDone)); }

absl::StatusOr<grpc::Status> PlaceStream::finish() {
  stream_->finish(&status_, tag(kFinish));
  if (!await(kFinish, timeout_)) return late(timeout_, "the stream does not end");
  return status_;
}

void PlaceStream::cancel() { stream_->cancel(); }

Place::Place(std::string address, const ConnectionSecurity& security, std::chrono::milliseconds timeout)
    : address_(std::move(address)), timeout_(timeout) {
  grpc::ChannelArguments arguments;
  protocol::configure_channel(arguments);
  stub_ = v1::Bridge::NewStub(
      grpc::CreateCustomChannel(address_, protocol::channel_credentials(address_, security), arguments));
  calls_ = caller::make_grpc_calls(*stub_);
}

std::unique_ptr<PlaceStream> Place::open() {
  return std::make_unique<PlaceStream>(caller::make_grpc_stream(*stub_), timeout_);
}

std::string Place::new_run_id() { return fmt::format("conformance-{}-{}", getpid(), ++runs_); }

grpc::Status Place::prepare(v1::ConfigureRequest& configure) {
  configure.set_run_id(new_run_id());
  v1::ConfigureResponse configured;
  if (grpc::Status status = calls_->configure(configure, configured, timeout_); !status.ok()) return status;
  v1::ConnectRequest connect;
  connect.set_run_id(configure.run_id());
  connect.set_transport(v1::BRIDGE_TRANSPORT_STREAM);
  v1::ConnectResponse connected;
  return calls_->connect(connect, connected, timeout_);
}

Place::Played Place::play(v1::ConfigureRequest configure, const std::vector<v1::RunRequest>& requests,
                          StreamRules& rules, const PlayOptions& options) {
  Played played;
  if (grpc::Status status = prepare(configure); !status.ok()) {
    played.status = protocol::from_grpc(status, "Configure or Connect");
    return played;
  }
  played.conversation.configure = configure;
  const std::unique_ptr<PlaceStream> stream = open();
  played.status = exchange(*stream, requests, rules, options, played);
  if (!played.status.ok()) return played;
  v1::StopRequest stop;
  stop.set_run_id(configure.run_id());
  played.stopped = calls_->stop(stop, played.conversation.stop, timeout_);
  return played;
}

absl::Status Place::exchange(PlaceStream& stream, const std::vector<v1::RunRequest>& requests, StreamRules& rules,
                             const PlayOptions& options, Played& played) {
  if (absl::Status status = stream.start(); !status.ok()) return status;
  const auto begun = std::chrono::steady_clock::now();
  uint64_t answered = 0;
  bool over = false;
  const auto read = [&]() -> absl::Status {
    absl::StatusOr<std::optional<v1::RunResponse>> response = stream.read();
    if (!response.ok()) return response.status();
    over = !response->has_value();
    if (over) return absl::OkStatus();
    rules.on_response(**response);
    answered = std::max(answered, (*response)->consumed());
    over = (*response)->error_code() != 0;
    played.conversation.messages.emplace_back(**std::move(response));
    return absl::OkStatus();
  };
  for (size_t begin = 0; begin < requests.size() && !over;) {
    const size_t end = std::min(requests.size(), begin + options.ahead);
    for (size_t i = begin; i < end && !over; ++i) {
      v1::RunRequest request = requests[i];
      request.set_number(i + 1);
      request.set_run_id(i == 0 ? played.conversation.configure.run_id() : "");
      rules.on_request(request);
      played.conversation.messages.emplace_back(request);
      stream.begin_write(request);
      // A place that cannot write its answers may stop reading until somebody reads them.
      while (!over && !stream.written(options.ahead > 1 ? kHeldBack : timeout_)) {
        if (options.ahead == 1) return late(timeout_, fmt::format("request {} is not read", i + 1));
        if (absl::Status status = read(); !status.ok()) return status;
      }
    }
    while (!over && answered < end) {
      if (absl::Status status = read(); !status.ok()) {
        return absl::Status(status.code(),
                            fmt::format("{}, to request {} of {}", message_of(status), answered + 1, requests.size()));
      }
    }
    if (options.half_way && begin <= requests.size() / 2 && end > requests.size() / 2)
      options.half_way(played.conversation.configure.run_id());
    begin = end;
  }
  played.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  stream.half_close();
  while (true) {
    absl::StatusOr<std::optional<v1::RunResponse>> response = stream.read();
    if (!response.ok()) return late(timeout_, "the half-closed stream does not end");
    if (!response->has_value()) break;
    rules.on_response(**response);
    played.conversation.messages.emplace_back(**std::move(response));
  }
  absl::StatusOr<grpc::Status> ended = stream.finish();
  if (!ended.ok()) return ended.status();
  played.ended = *ended;
  return absl::OkStatus();
}

}  // namespace fabrictwin::bridges::conformance

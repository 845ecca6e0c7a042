// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/mpi/rank_stream.h"

#include <string>
#include <utility>

#include "bridges/mpi/messages.h"
#include "bridges/protocol/rpc_status.h"

namespace fabrictwin::bridges::mpi {

void RankStream::start(grpc::CompletionQueue&, void* tag) { events_.push_back({tag, true}); }

void RankStream::read(v1::RunResponse* response, void* tag) {
  response_ = response;
  read_tag_ = tag;
}

void RankStream::write(const v1::RunRequest& request, void* tag) {
  events_.push_back({tag, send(request.SerializeAsString())});
}

void RankStream::writes_done(void* tag) {
  half_closed_ = true;
  events_.push_back({tag, send({})});
}

void RankStream::finish(grpc::Status* status, void* tag) {
  *status = protocol::to_grpc(status_);
  events_.push_back({tag, true});
}

void RankStream::cancel() {
  // The other rank ends its stream when it comes to this; what it sends until then is not read.
  if (!std::exchange(half_closed_, true)) send({});
  fail(absl::CancelledError("the run was cancelled"));
}

std::optional<caller::StreamEvent> RankStream::poll() {
  if (!events_.empty()) {
    const caller::StreamEvent event = events_.front();
    events_.pop_front();
    return event;
  }
  if (read_tag_ == nullptr) {
    // What was sent has to go even while the caller cannot take more.
    if (absl::Status status = world_.poll(); !status.ok()) fail(status);
    return std::nullopt;
  }
  if (!status_.ok()) return end_read(false);
  absl::StatusOr<std::optional<Message>> message = world_.receive(rank_, kRun);
  if (!message.ok()) {
    fail(message.status());
    return end_read(false);
  }
  if (!message->has_value()) return std::nullopt;
  const std::string& bytes = (*message)->bytes;
  if (bytes.empty()) return end_read(false);
  if (response_->ParseFromString(bytes)) return end_read(true);
  fail(absl::DataLossError("protocol error: a message cannot be read"));
  return end_read(false);
}

std::optional<caller::StreamEvent> RankStream::end_read(bool ok) {
  return caller::StreamEvent{std::exchange(read_tag_, nullptr), ok};
}

bool RankStream::send(std::string bytes) {
  const absl::Status sent = world_.send(rank_, kRun, std::move(bytes));
  if (!sent.ok()) fail(sent);
  return sent.ok();
}

void RankStream::fail(const absl::Status& status) {
  if (status_.ok()) status_ = status;
}

}  // namespace fabrictwin::bridges::mpi

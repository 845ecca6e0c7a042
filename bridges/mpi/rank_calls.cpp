// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/mpi/rank_calls.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "bridges/mpi/messages.h"
#include "bridges/mpi/rank_stream.h"
#include "bridges/protocol/backoff.h"
#include "bridges/protocol/rpc_status.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::mpi {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// Numbers of calls, which no two of a process have in common: an answer may come when the run of its call has ended.
std::atomic<uint64_t> calls_made{0};

class RankCalls final : public caller::BridgeCalls {
 public:
  RankCalls(World& world, int rank) : world_(world), rank_(rank) {}

  grpc::Status hello(const v1::HelloRequest& request, v1::HelloResponse& response, Patience patience) override {
    return call(kHello, request, response, patience);
  }
  grpc::Status describe(const v1::DescribeRequest& request, v1::DescribeResponse& response,
                        Patience patience) override {
    return call(kDescribe, request, response, patience);
  }
  grpc::Status configure(const v1::ConfigureRequest& request, v1::ConfigureResponse& response,
                         Patience patience) override {
    return call(kConfigure, request, response, patience);
  }
  grpc::Status connect(const v1::ConnectRequest& request, v1::ConnectResponse& response, Patience patience) override {
    return call(kConnect, request, response, patience);
  }
  grpc::Status metrics(const v1::MetricsRequest& request, v1::MetricsResponse& response, Patience patience) override {
    return call(kMetrics, request, response, patience);
  }
  grpc::Status stop(const v1::StopRequest& request, v1::StopResponse& response, Patience patience) override {
    return call(kStop, request, response, patience);
  }

 private:
  grpc::Status call(Tag tag, const google::protobuf::MessageLite& request, google::protobuf::MessageLite& response,
                    Patience patience) {
    const std::lock_guard lock(mutex_);
    const uint64_t number = ++calls_made;
    const absl::Status sent = world_.send(rank_, tag, to_bytes(CallMessage{number, request.SerializeAsString()}));
    if (!sent.ok()) return protocol::to_grpc(sent);
    const auto deadline = SteadyClock::now() + patience;
    protocol::Backoff backoff;
    while (true) {
      absl::StatusOr<std::optional<Message>> message = world_.receive(rank_, tag);
      if (!message.ok()) return protocol::to_grpc(message.status());
      if (message->has_value()) {
        const absl::StatusOr<AnswerMessage> answer = answer_of((*message)->bytes);
        if (!answer.ok()) return protocol::to_grpc(answer.status());
        // An answer with another number belongs to a call that did not wait for it.
        if (answer->number == number) return take(*answer, response);
      } else if (SteadyClock::now() >= deadline) {
        return {grpc::StatusCode::DEADLINE_EXCEEDED, fmt::format("rank {} does not answer", rank_)};
      } else {
        backoff.wait();
      }
    }
  }

  static grpc::Status take(const AnswerMessage& answer, google::protobuf::MessageLite& response) {
    if (answer.code != 0) return {static_cast<grpc::StatusCode>(answer.code), answer.body};
    if (response.ParseFromString(answer.body)) return grpc::Status::OK;
    return {grpc::StatusCode::DATA_LOSS, "protocol error: the answer cannot be read"};
  }

  World& world_;
  const int rank_;
  std::mutex mutex_;
};

}  // namespace

std::unique_ptr<caller::BridgeCalls> WorldLinks::calls(int rank) { return std::make_unique<RankCalls>(world_, rank); }

std::unique_ptr<caller::RunStream> WorldLinks::stream(int rank) { return std::make_unique<RankStream>(world_, rank); }

}  // namespace fabrictwin::bridges::mpi

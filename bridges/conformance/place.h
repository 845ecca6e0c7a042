// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A place from the outside, call by call: nothing waits for longer than a time-out.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bridges/caller/bridge_calls.h"
#include "bridges/conformance/conversation.h"
#include "bridges/conformance/stream_rules.h"
#include "cosim/base/connection_security.h"
#include "fabrictwin/v1/bridge.grpc.pb.h"

namespace fabrictwin::bridges::conformance {

/// The Run stream of a place, one operation after the other. Errors are DeadlineExceeded, with what was waited for.
/// Used by one thread.
class PlaceStream {
 public:
  PlaceStream(std::unique_ptr<caller::RunStream> stream, std::chrono::milliseconds timeout);
  /// Cancels the stream if it has not ended.
  ~PlaceStream();
  PlaceStream(const PlaceStream&) = delete;
  PlaceStream& operator=(const PlaceStream&) = delete;

  absl::Status start();
  /// Begins to write a request; the one before must have been written.
  void begin_write(const v1::RunRequest& request);
  /// Whether the last request has been written, after at most this time: a place that reads no more holds it back.
  bool written(std::chrono::milliseconds at_most);
  /// Begins and awaits.
  absl::Status write(const v1::RunRequest& request);
  /// The next answer; nothing at the end of the stream.
  absl::StatusOr<std::optional<v1::RunResponse>> read();
  void half_close();
  /// How the stream has ended; after read() has said that it has.
  absl::StatusOr<grpc::Status> finish();
  void cancel();

 private:
  enum Operation : uint8_t { kStart, kRead, kWrite, kWritesDone, kFinish, kOperations };
  void* tag(Operation operation);
  /// Whether the operation has ended within this time.
  bool await(Operation operation, std::chrono::milliseconds at_most);

  const std::chrono::milliseconds timeout_;
  grpc::CompletionQueue queue_;
  std::unique_ptr<caller::RunStream> stream_;
  bool pending_[kOperations] = {};
  bool ok_[kOperations] = {};
  v1::RunRequest request_;
  v1::RunResponse response_;
  grpc::Status status_;
};

/// How play() sends requests.
struct PlayOptions {
  /// This many requests are sent before answers are read.
  size_t ahead = 1;
  /// Called when about half of the requests have been answered.
  std::function<void(const std::string& run_id)> half_way;
};

/// A connection to a place. Used by one thread.
class Place {
 public:
  Place(std::string address, const ConnectionSecurity& security, std::chrono::milliseconds timeout);

  const std::string& address() const { return address_; }
  std::chrono::milliseconds timeout() const { return timeout_; }
  caller::BridgeCalls& calls() { return *calls_; }
  std::unique_ptr<PlaceStream> open();
  /// An id that no run has had.
  std::string new_run_id();

  /// Configures and connects a run of its own with this configuration. The error is that of the place.
  grpc::Status prepare(v1::ConfigureRequest& configure);

  /// What a run came to. `status` is not OK if the place hangs; what it said until then is in the conversation.
  struct Played {
    absl::Status status;
    Conversation conversation;
    double seconds = 0;    ///< From the first request to the last answer.
    grpc::Status ended;    ///< How its stream ended.
    grpc::Status stopped;  ///< The answer to Stop.
  };
  /// A whole run from Configure to Stop that sends these requests, whatever their numbers. `rules` sees all messages.
  Played play(v1::ConfigureRequest configure, const std::vector<v1::RunRequest>& requests, StreamRules& rules,
              const PlayOptions& options = {});

 private:
  absl::Status exchange(PlaceStream& stream, const std::vector<v1::RunRequest>& requests, StreamRules& rules,
                        const PlayOptions& options, Played& played);

  const std::string address_;
  const std::chrono::milliseconds timeout_;
  std::unique_ptr<v1::Bridge::Stub> stub_;
  std::unique_ptr<caller::BridgeCalls> calls_;
  uint64_t runs_ = 0;
};

}  // namespace fabrictwin::bridges::conformance

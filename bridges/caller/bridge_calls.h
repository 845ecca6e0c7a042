// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a caller needs of a bridge, whatever carries its messages. gRPC does (grpc_calls.h), and MPI (bridges/mpi).
#pragma once

#include <grpcpp/support/status.h>

#include <chrono>
#include <memory>
#include <optional>

#include "fabrictwin/v1/bridge.pb.h"

namespace grpc {
class CompletionQueue;
}  // namespace grpc

namespace fabrictwin::bridges::caller {

/// The calls of docs/bridge-protocol.md but Run. Each waits for its answer at most `patience` (DEADLINE_EXCEEDED), and
/// has the errors of the place, or UNAVAILABLE if it cannot be reached. Thread-safe.
class BridgeCalls {
 public:
  using Patience = std::chrono::milliseconds;

  virtual ~BridgeCalls() = default;
  virtual grpc::Status hello(const v1::HelloRequest& request, v1::HelloResponse& response, Patience patience) = 0;
  virtual grpc::Status describe(const v1::DescribeRequest& request, v1::DescribeResponse& response,
                                Patience patience) = 0;
  virtual grpc::Status configure(const v1::ConfigureRequest& request, v1::ConfigureResponse& response,
                                 Patience patience) = 0;
  virtual grpc::Status connect(const v1::ConnectRequest& request, v1::ConnectResponse& response, Patience patience) = 0;
  virtual grpc::Status metrics(const v1::MetricsRequest& request, v1::MetricsResponse& response, Patience patience) = 0;
  virtual grpc::Status stop(const v1::StopRequest& request, v1::StopResponse& response, Patience patience) = 0;
};

/// An operation of a stream that has ended, by the tag that it was begun with.
struct StreamEvent {
  void* tag = nullptr;
  bool ok = false;
};

/// The caller's end of one Run stream. Operations are those of grpc::ClientAsyncReaderWriter, with the same rules: each
/// ends with one event, messages and status belong to the stream until then, and one read and one write may be pending.
/// Events come from the queue of start(), or from poll(). Used by one thread at a time.
class RunStream {
 public:
  virtual ~RunStream() = default;
  virtual void start(grpc::CompletionQueue& queue, void* tag) = 0;
  virtual void read(v1::RunResponse* response, void* tag) = 0;
  virtual void write(const v1::RunRequest& request, void* tag) = 0;
  virtual void writes_done(void* tag) = 0;
  virtual void finish(grpc::Status* status, void* tag) = 0;
  /// Lets what is pending end soon, whether the place answers or not.
  virtual void cancel() = 0;

  /// True if events come from poll(), and never from the queue.
  virtual bool polled() const { return false; }
  /// The next event, if there is one.
  virtual std::optional<StreamEvent> poll() { return std::nullopt; }
};

/// Reaches the places that are ranks of MPI (system::PlaceKind::kMpiRank). Outlives what it makes.
class RankLinks {
 public:
  virtual ~RankLinks() = default;
  /// Each for one rank, from 1 to ranks() - 1.
  virtual std::unique_ptr<BridgeCalls> calls(int rank) = 0;
  virtual std::unique_ptr<RunStream> stream(int rank) = 0;
  /// All ranks, that of the caller included.
  virtual int ranks() const = 0;
};

}  // namespace fabrictwin::bridges::caller

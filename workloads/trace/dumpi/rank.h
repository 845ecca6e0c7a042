// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts the calls of one rank of a DUMPI trace into events.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "workloads/trace/dumpi/call.h"
#include "workloads/trace/dumpi/communicators.h"
#include "workloads/trace/dumpi/scope.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::trace::dumpi {

/// Converts calls into events. Communicators are known only when all ranks have been read once with note(); then they
/// are resolved, and another object makes the events. Not thread-safe.
class Rank {
 public:
  /// `communicators` must outlive this.
  Rank(uint32_t rank, Communicators& communicators, Sink sink);

  /// First pass: considers only calls that make communicators.
  absl::Status note(const Call& call) { return scope_.note(call); }
  /// Second pass. Calls that do not communicate are ignored; calls that a trace cannot express are refused by name.
  absl::Status add(const Call& call);
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;

  /// Whether the last call was MPI_Finalize.
  bool finalized() const { return finalized_; }

 private:
  struct Request {
    bool active = false;
    bool persistent = false;
    bool receive = false;
    bool nowhere = false;  // To or from no process, so there is nothing to wait for.
    uint64_t ordinal = 0;  // Number among the requests that the rank has started.
    format::Event event;   // For a persistent request, the event that it starts.
  };
  enum class Side : uint8_t { kSend, kReceive };

  absl::Status emit(format::Event event);
  absl::StatusOr<bool> message(const Call& call, v1::TraceAction action, Side side, format::Event& event);
  absl::Status add_message(const Call& call, v1::TraceAction action, Side side);
  absl::Status add_request(const Call& call, v1::TraceAction action, Side side, bool persistent);
  absl::Status start(const Call& call, int64_t handle);
  absl::Status wait(const Call& call, int64_t handle);
  absl::Status add_completion(const Call& call);
  absl::Status add_exchange(const Call& call);
  absl::Status add_probe(const Call& call);
  absl::Status add_collective(const Call& call, v1::TraceAction action);
  // Handles a call that starts or completes a request; false if it is none.
  absl::StatusOr<bool> add_point_to_point(const Call& call);

  uint32_t rank_;
  Scope scope_;
  Sink sink_;
  std::map<int64_t, Request> requests_;
  uint64_t started_ = 0;
  bool initialized_ = false;
  bool finalized_ = false;
  int64_t last_ns_ = 0;
};

}  // namespace fabrictwin::trace::dumpi

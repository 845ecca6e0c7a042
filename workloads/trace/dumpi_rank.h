// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The calls of one rank of a DUMPI trace as events.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "workloads/trace/dumpi_call.h"
#include "workloads/trace/dumpi_communicators.h"
#include "workloads/trace/dumpi_scope.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// Turns calls into events. Communicators are known only when all ranks have been read once, by note(); then they are
/// resolved, and another object makes the events. Not thread-safe.
class DumpiRank {
 public:
  /// `communicators` must outlive this.
  DumpiRank(uint32_t rank, DumpiCommunicators& communicators, DumpiSink sink);

  /// First time: only calls that make communicators matter.
  absl::Status note(const DumpiCall& call) { return scope_.note(call); }
  /// Second time. What is no communication is passed over; what has no form in a trace is refused by name.
  absl::Status add(const DumpiCall& call);
  DumpiRank(const DumpiRank&) = delete;
  DumpiRank& operator=(const DumpiRank&) = delete;

  /// Whether the last call was MPI_Finalize.
  bool finalized() const { return finalized_; }

 private:
  struct Request {
    bool active = false;
    bool persistent = false;
    bool receive = false;
    bool nowhere = false;  // To or from no process: there is nothing to wait for.
    uint64_t ordinal = 0;  // Of the requests that the rank has started.
    TraceEvent event;      // Of a persistent one: what it starts.
  };
  enum class Side : uint8_t { kSend, kReceive };

  absl::Status emit(TraceEvent event);
  absl::StatusOr<bool> message(const DumpiCall& call, v1::TraceAction action, Side side, TraceEvent& event);
  absl::Status add_message(const DumpiCall& call, v1::TraceAction action, Side side);
  absl::Status add_request(const DumpiCall& call, v1::TraceAction action, Side side, bool persistent);
  absl::Status start(const DumpiCall& call, int64_t handle);
  absl::Status wait(const DumpiCall& call, int64_t handle);
  absl::Status add_completion(const DumpiCall& call);
  absl::Status add_exchange(const DumpiCall& call);
  absl::Status add_probe(const DumpiCall& call);
  absl::Status add_collective(const DumpiCall& call, v1::TraceAction action);
  // A call of a kind that starts or completes something; false if it is none.
  absl::StatusOr<bool> add_point_to_point(const DumpiCall& call);

  uint32_t rank_;
  DumpiScope scope_;
  DumpiSink sink_;
  std::map<int64_t, Request> requests_;
  uint64_t started_ = 0;
  bool initialized_ = false;
  bool finalized_ = false;
  int64_t last_ns_ = 0;
};

}  // namespace fabrictwin

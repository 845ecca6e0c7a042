// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A recorded event as the few things that a rank does for it.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/base/time.h"
#include "workloads/mpi/copy_cost.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// One thing that a rank does. It is done at once, except kBusy and the waits.
struct ReplayStep {
  enum class Kind : uint8_t {
    kBusy,         ///< The processor is busy for `duration`.
    kSend,         ///< Starts a send.
    kReceive,      ///< Starts a receive.
    kWaitStarted,  ///< Waits for what this event has started.
    kWaitFor,      ///< Waits for the oldest outstanding request with this peer, tag and direction (`sends`).
    kWaitAll,      ///< Waits for all outstanding requests.
    kWaitSends,    ///< Waits for all outstanding sends.
  };
  Kind kind = Kind::kWaitStarted;
  bool compute = false;      ///< kBusy: counts as computation.
  bool collective = false;   ///< kSend, kReceive: belongs to a collective; the tag is its number.
  bool outstanding = false;  ///< kSend, kReceive: stays outstanding after the event (isend, irecv).
  bool sends = false;        ///< kWaitFor.
  int32_t peer = 0;
  uint32_t tag = 0;
  uint64_t bytes = 0;
  Time duration;
  bool operator==(const ReplayStep&) const = default;
};

/// What is needed to make steps of events.
struct ReplayCosts {
  int32_t rank = 0;
  int32_t ranks = 1;
  double compute_scale = 1.0;  ///< Not negative.
  Time send_overhead;          ///< Busy time in front of each send.
  uint64_t eager_limit = 0;    ///< Messages of up to this many bytes are copied at both ends.
  CopyCost copy;
};

/// True if make_steps() knows the action.
bool can_replay(v1::TraceAction action);

/// Replaces `steps` by what the rank does for `event` (well formed, can_replay()). `collective` is the number of the
/// event among the rank's collectives.
void make_steps(const TraceEvent& event, const ReplayCosts& costs, uint32_t collective, std::vector<ReplayStep>& steps);

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A recorded event as the few things that a rank does for it.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/base/time.h"
#include "workloads/mpi/copy_cost.h"
#include "workloads/trace/communicator.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// When a send has ended.
enum class SendMode : uint8_t {
  kStandard,     ///< When its buffer may be used again.
  kSynchronous,  ///< When its receive has matched it.
  kBuffered,     ///< At once.
};

/// One thing that a rank does. It is done at once, except kBusy, kProbe and the waits.
struct ReplayStep {
  enum class Kind : uint8_t {
    kBusy,         ///< The processor is busy for `duration`.
    kSend,         ///< Starts a send.
    kReceive,      ///< Starts a receive.
    kProbe,        ///< Waits for a message that a receive would take.
    kWaitStarted,  ///< Waits for what this event has started.
    kWaitFor,      ///< Waits for the oldest outstanding request with this peer, tag and direction (`sends`).
    kWaitAge,      ///< Waits for the request after which `age` others have been started.
    kWaitAll,      ///< Waits for all outstanding requests.
    kWaitLast,     ///< Waits for all that must end before the rank does: outstanding sends and collectives.
  };
  Kind kind = Kind::kWaitStarted;
  SendMode mode = SendMode::kStandard;
  bool compute = false;      ///< kBusy: counts as computation.
  bool collective = false;   ///< kSend, kReceive: belongs to a collective; the tag is its number.
  bool outstanding = false;  ///< kSend, kReceive: stays outstanding after the event (isend, irecv).
  bool sends = false;        ///< kWaitFor.
  int32_t peer = 0;          ///< A rank of the world.
  uint32_t tag = 0;
  uint32_t communicator = 0;
  uint64_t bytes = 0;  ///< Of a message; kBusy: that a computation moves to and from memory, 0 if that does not matter.
  uint64_t age = 0;
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

/// Replaces `steps` by what the rank does for `event`, which is well formed; a collective, blocking or not, by all that
/// it takes. `communicator` is that of the event; its `collectives` is the number of a collective.
void make_steps(const TraceEvent& event, const ReplayCosts& costs, const Communicator& communicator,
                std::vector<ReplayStep>& steps);

}  // namespace fabrictwin

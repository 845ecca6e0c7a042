// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Translates a recorded event into the steps that a rank takes for it.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "cosim/base/time.h"
#include "models/nic/reduction.h"
#include "workloads/mpi/protocol/copy_cost.h"
#include "workloads/trace/format/communicator.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::mpi::protocol {

/// When a send is complete.
enum class SendMode : uint8_t {
  kStandard,     ///< When its buffer may be used again.
  kSynchronous,  ///< When its receive has matched it.
  kBuffered,     ///< Immediately.
};

/// One step of a rank. It completes immediately, except for kBusy, kProbe and the waits.
struct ReplayStep {
  enum class Kind : uint8_t {
    kBusy,         ///< The processor is busy for `duration`.
    kSend,         ///< Starts a send.
    kReceive,      ///< Starts a receive.
    kReduce,       ///< Starts a reduction by the hardware of all hosts.
    kProbe,        ///< Waits for a message that a receive would match.
    kWaitStarted,  ///< Waits for the requests that this event has started.
    kWaitFor,      ///< Waits for the oldest outstanding request with this peer, tag and direction (`sends`).
    kWaitAge,      ///< Waits for the request after which `age` others have been started.
    kWaitAll,      ///< Waits for all outstanding requests.
    kWaitLast,     ///< Waits for all that must complete before the rank ends: outstanding sends and collectives.
  };
  Kind kind = Kind::kWaitStarted;
  SendMode mode = SendMode::kStandard;
  bool compute = false;      ///< kBusy: counts as computation.
  bool collective = false;   ///< kSend, kReceive: belongs to a collective; the tag is its number.
  bool outstanding = false;  ///< kSend, kReceive: stays outstanding after the event (isend, irecv).
  bool sends = false;        ///< kWaitFor: the request is a send.
  int32_t peer = 0;          ///< A rank of the world.
  uint32_t tag = 0;
  uint32_t communicator = 0;
  uint64_t bytes = 0;  ///< Size of a message; kBusy: memory traffic of a computation, 0 if irrelevant.
  uint64_t age = 0;
  nic::ReduceType type = nic::ReduceType::kInt32;  ///< kReduce: of the elements.
  Time duration;
  bool operator==(const ReplayStep&) const = default;
};

/// Parameters for translating events to steps.
struct ReplayCosts {
  int32_t rank = 0;
  int32_t ranks = 1;
  double compute_scale = 1.0;  ///< Not negative.
  Time send_overhead;          ///< Busy time before each send.
  uint64_t eager_limit = 0;    ///< Messages of up to this many bytes are copied at both ends.
  CopyCost copy;
  // Inside collectives: docs/models/mpi-replay.md.
  Time request_overhead;     ///< Each request of an exchange takes it.
  Time reduce_overhead;      ///< Each reduction of a vector that has come takes it.
  Time buffer_overhead;      ///< The temporary buffer of a call that reduces takes it.
  CopyCost local;            ///< Bytes that are copied and reduced take it.
  bool accelerator = false;  ///< MPI_Allreduce is reduced by hardware where it can be: docs/models/allreduce.md.
  /// That hardware makes MPI_Barrier as well, and reduces up to so many integers or floating-point numbers.
  bool accelerated_barrier = false;
  uint64_t most_integers = std::numeric_limits<uint64_t>::max();
  uint64_t most_reals = std::numeric_limits<uint64_t>::max();
};

/// Replaces `steps` by what the rank does for `event`, which is well formed; for a collective, blocking or not, by all
/// its steps. `communicator` is that of the event; its `collectives` is the number of a collective.
void make_steps(const trace::format::Event& event, const ReplayCosts& costs,
                const trace::format::Communicator& communicator, std::vector<ReplayStep>& steps);

}  // namespace fabrictwin::mpi::protocol

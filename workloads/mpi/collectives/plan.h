// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectives as MPICH 3.2.1 implements them: what one rank sends and receives, in order.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/trace/format/communicator.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::mpi::collectives {

/// One step of a collective on one rank. Sends and receives are started in order and do not block; kWait waits for all
/// that were started before it. A synchronous send ends when its receive has been posted.
struct CollectiveOp {
  enum class Kind : uint8_t { kSend, kReceive, kWait, kSynchronousSend };
  Kind kind = Kind::kWait;
  int32_t peer = 0;
  uint64_t bytes = 0;
  bool reduces = false;  ///< kReceive: what has come is reduced into the vector of the rank.
  bool operator==(const CollectiveOp&) const = default;
};

/// Switch-over points of MPICH 3.2.1 (the defaults of its MPIR_CVAR_* variables), in bytes.
inline constexpr uint64_t kBcastShort = 12288;
inline constexpr uint64_t kBcastLong = 524288;
inline constexpr int32_t kBcastMinRanks = 8;
inline constexpr uint64_t kReduceShort = 2048;
inline constexpr uint64_t kAllreduceShort = 2048;
inline constexpr uint64_t kAllgatherShort = 81920;
inline constexpr uint64_t kAllgatherLong = 524288;
inline constexpr uint64_t kAlltoallShort = 256;
inline constexpr uint64_t kAlltoallMedium = 32768;
inline constexpr int32_t kAlltoallMinRanks = 8;
inline constexpr int32_t kAlltoallThrottle = 32;
inline constexpr uint64_t kAllgathervPipeline = 32768;
inline constexpr int32_t kGathervSynchronousRanks = 32;
inline constexpr uint64_t kReduceScatterLong = 524288;

/// Plans what member `rank` of a communicator of `ranks` does in the collective `event`, blocking or not, which is well
/// formed and whose root is the number of a member. Appends to `ops`; ends with kWait unless there is nothing to do.
/// All ranks' operations match: between each pair, sends and receives come in the same order and with the same sizes.
/// Thread-safe.
void plan_collective(const trace::format::Event& event, int32_t rank, int32_t ranks, std::vector<CollectiveOp>& ops);
/// Plans for the rank that sees `communicator`. The root of `event` is a rank of the world, as in traces; peers of
/// `ops` are numbers of members.
void plan_collective(const trace::format::Event& event, const trace::format::Communicator& communicator,
                     std::vector<CollectiveOp>& ops);

}  // namespace fabrictwin::mpi::collectives

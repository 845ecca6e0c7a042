// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof that packets of a network can never wait for each other in a cycle.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "cosim/system/system_graph.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::routing::proof {

/// How freedom from deadlock was proved.
enum class DeadlockProofKind : uint8_t {
  kAcyclic,  ///< For all packets, no buffer waits for itself (Dally and Seitz 1987).
  kEscape,   ///< For all packets, no escape waits for itself, and every packet can take one everywhere (Duato 1993).
  kByDimension,  ///< For all packets along each dimension; dimensions come in a fixed order.
  kByRank,       ///< Each hop leads to a buffer of higher rank, as the algorithm's page shows; checked on samples.
  kNone,         ///< It was not proved.
};

struct DeadlockProof {
  DeadlockProofKind kind = DeadlockProofKind::kNone;
  std::string text;  ///< For the user: what was checked, or why nothing could be proved.
  bool proved() const { return kind != DeadlockProofKind::kNone; }
};

/// Limits beyond which another proof is sought.
struct DeadlockLimits {
  int64_t pairs = int64_t{4} << 20;  ///< Pairs of routers.
  int64_t work = int64_t{80} << 20;  ///< Routing decisions: a few seconds.
};

/// Visits every state that a packet can be in, in a graph with an index whose routers have `vcs` VCs, and proves that
/// no load can deadlock the network: by an acyclic channel dependency graph, or, where packets have escapes, by Duato's
/// condition (check_escapes()). That condition holds only if no packet queues behind another that still holds an escape
/// (`whole_packets`): a packet goes on only when the next buffer has space for all of it, or a VC and the buffer behind
/// it belong to one packet until its tail has left (wormhole). Otherwise the condition does not cover what the other
/// packet waits for. Beyond the limits, the proof is by the structure that the algorithm states (check_structure()); if
/// it states none, nothing is proved. InvalidArgument, naming the cycle, if a deadlock is possible, or if a packet is
/// misrouted.
absl::StatusOr<DeadlockProof> check_deadlock(const system::SystemGraph& graph, const RoutingAlgorithm& routing,
                                             int32_t vcs, bool whole_packets, const DeadlockLimits& limits = {});

}  // namespace fabrictwin::routing::proof

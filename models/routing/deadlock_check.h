// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof that packets of a network can never wait for each other in a circle.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "cosim/run/system_graph.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin {

/// How freedom from deadlock is known.
enum class DeadlockProofKind : uint8_t {
  kAcyclic,      ///< Of all packets, no buffer waits for itself (Dally and Seitz 1987).
  kEscape,       ///< The same for escapes, which every packet can take everywhere (Duato 1993).
  kByDimension,  ///< Of all packets along each dimension; dimensions come in a fixed order.
  kByRank,       ///< Each step goes to a buffer of higher rank, which the algorithm's page shows; checked on samples.
  kNone,         ///< It is not.
};

struct DeadlockProof {
  DeadlockProofKind kind = DeadlockProofKind::kNone;
  std::string text;  ///< For people: what was looked at, or why nothing could be proved.
  bool proved() const { return kind != DeadlockProofKind::kNone; }
};

/// How much is looked at before another proof is sought.
struct DeadlockLimits {
  int64_t pairs = int64_t{4} << 20;  ///< Of routers.
  int64_t work = int64_t{80} << 20;  ///< Routing decisions: a few seconds.
};

/// Looks at every state that a packet can be in, in a graph with an index whose routers have `vcs` VCs, and proves that
/// no load can bring the network to a deadlock: by an acyclic channel dependency graph, or where packets have escapes
/// by Duato's condition (check_escapes()), which holds where no packet stands in a queue behind another while it
/// still holds an escape (`whole_packets`): it goes on only when the next buffer has room for all of it, or a VC and
/// the buffer behind it are one packet's until its tail has left (wormhole). Otherwise the condition does not cover
/// what the other waits for. Beyond the limits, by the structure that the algorithm has
/// (RoutingAlgorithm::structure()), if it has one; otherwise nothing is proved. InvalidArgument, naming the cycle, if a
/// deadlock is possible, or if a packet is led astray.
absl::StatusOr<DeadlockProof> check_deadlock(const SystemGraph& graph, const RoutingAlgorithm& routing, int32_t vcs,
                                             bool whole_packets, const DeadlockLimits& limits = {});

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/protocol/request_text.h"

#include "fmt/format.h"

namespace fabrictwin::mpi::protocol {

std::string peer_text(int32_t rank) {
  return rank == trace::format::kAnySource ? "any rank" : fmt::format("rank {}", rank);
}

std::string key_text(const MatchKey& key) {
  std::string text = peer_text(key.source);
  if (key.collective) {
    text += fmt::format(", collective {}", key.tag);
  } else {
    text += key.tag == MatchKey::kAny ? ", any tag" : fmt::format(", tag {}", key.tag);
  }
  return key.communicator == 0 ? text : text + fmt::format(" of communicator {}", key.communicator);
}

std::string wait_text(const MpiRequest& request) {
  const bool matched = request.state == MpiRequest::State::kMatched;
  if (request.kind == MpiRequest::Kind::kCollective) return "its collective";
  if (request.kind == MpiRequest::Kind::kReduction)
    return fmt::format("the Allreduce accelerators to reduce {} bytes, collective {}", request.bytes, request.key.tag);
  if (request.kind == MpiRequest::Kind::kReceive)
    return fmt::format("{} {}", matched ? "the body of a message from" : "a message from", key_text(request.key));
  if ((request.rendezvous && !matched) || (request.unacknowledged && !request.leaving))
    return fmt::format("{} to receive a message of {} bytes", key_text(request.key), request.bytes);
  return fmt::format("a message to {} to leave", key_text(request.key));
}

}  // namespace fabrictwin::mpi::protocol

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/protocol/match_queues.h"

namespace fabrictwin::mpi::protocol {

std::optional<uint32_t> MatchQueues::arrive(Message& message) {
  message.looked = 0;
  for (auto receive = receives_.begin(); receive != receives_.end(); ++receive) {
    ++message.looked;
    if (!receive->key.accepts(message.key)) continue;
    const uint32_t request = receive->request;
    receives_.erase(receive);
    return request;
  }
  messages_.push_back(message);
  return std::nullopt;
}

const MatchQueues::Message* MatchQueues::find(const MatchKey& key, uint32_t& looked) const {
  looked = 0;
  for (const Message& message : messages_) {
    ++looked;
    if (key.accepts(message.key)) return &message;
  }
  return nullptr;
}

std::optional<MatchQueues::Message> MatchQueues::post(const MatchKey& key, uint32_t request, uint32_t& looked) {
  if (find(key, looked) == nullptr) {
    receives_.push_back({key, request});
    return std::nullopt;
  }
  const auto found = messages_.begin() + (looked - 1);
  const Message message = *found;
  messages_.erase(found);
  return message;
}

}  // namespace fabrictwin::mpi::protocol

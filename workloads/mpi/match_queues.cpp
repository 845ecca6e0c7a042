// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/match_queues.h"

#include <algorithm>

namespace fabrictwin {

std::optional<uint32_t> MatchQueues::arrive(const Message& message) {
  const auto found = std::find_if(receives_.begin(), receives_.end(),
                                  [&](const Receive& receive) { return receive.key.accepts(message.key); });
  if (found == receives_.end()) {
    messages_.push_back(message);
    return std::nullopt;
  }
  const uint32_t request = found->request;
  receives_.erase(found);
  return request;
}

std::optional<MatchQueues::Message> MatchQueues::post(const MatchKey& key, uint32_t request) {
  const auto found = std::find_if(messages_.begin(), messages_.end(),
                                  [&](const Message& message) { return key.accepts(message.key); });
  if (found == messages_.end()) {
    receives_.push_back({key, request});
    return std::nullopt;
  }
  const Message message = *found;
  messages_.erase(found);
  return message;
}

}  // namespace fabrictwin

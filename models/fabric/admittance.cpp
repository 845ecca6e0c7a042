// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/admittance.h"

namespace fabrictwin::fabric {

void Admittance::push(int32_t number, uint32_t message) {
  auto queue = std::ranges::find(queues_, number, &Queue::number);
  if (queue == queues_.end()) queue = queues_.insert(queue, {number, {}});
  queue->messages.push_back({message, messages_++});
}

void Admittance::pop(size_t queue) {
  Fifo<Waiting>& messages = queues_[queue].messages;
  messages.pop_front();
  const auto position = queues_.begin() + static_cast<std::ptrdiff_t>(queue);
  if (messages.empty()) {
    queues_.erase(position);
    return;
  }
  const uint64_t order = messages.front().order;
  const auto behind = std::find_if(position + 1, queues_.end(),
                                   [&](const Queue& other) { return other.messages.front().order > order; });
  std::rotate(position, position + 1, behind);
}

}  // namespace fabrictwin::fabric

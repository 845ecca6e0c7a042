// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/format/communicator_table.h"

#include <algorithm>
#include <vector>

#include "fmt/format.h"

namespace fabrictwin::trace::format {

absl::Status CommunicatorTable::check_use(const Event& event) const {
  const auto found = made_.find(event.communicator);
  if (found == made_.end())
    return absl::InvalidArgumentError(fmt::format("there is no communicator {}", event.communicator));
  const Communicator& communicator = found->second;
  const ActionShape& shape = action_shape(event.action);
  if (shape.peers > 0 && event.peer != kAnySource && !communicator.number_of(event.peer).has_value()) {
    return absl::InvalidArgumentError(
        fmt::format("rank {} is no member of communicator {}", event.peer, event.communicator));
  }
  for (const auto& [form, counts] :
       {std::pair(shape.sent, &event.send_counts), std::pair(shape.received, &event.receive_counts)}) {
    if (form != CountForm::kEachRank || counts->size() == static_cast<size_t>(communicator.size())) continue;
    return absl::InvalidArgumentError(fmt::format("has {} counts for the {} members of communicator {}", counts->size(),
                                                  communicator.size(), event.communicator));
  }
  return absl::OkStatus();
}

absl::Status CommunicatorTable::follow(const Event& event) {
  if (event.action == v1::COMM_CREATE) {
    const uint32_t number = static_cast<uint32_t>(event.count);
    if (made_.contains(number))
      return absl::InvalidArgumentError(fmt::format("communicator {} is there already", number));
    if (std::find(event.send_counts.begin(), event.send_counts.end(), static_cast<uint64_t>(rank_)) ==
        event.send_counts.end()) {
      return absl::InvalidArgumentError(fmt::format("rank {} is no member of its communicator {}", rank_, number));
    }
    made_.emplace(number, Communicator(rank_, event.send_counts));
    return absl::OkStatus();
  }
  if (event.action == v1::COMM_FREE) {
    if (event.count > kMaxCommunicator || made_.erase(static_cast<uint32_t>(event.count)) == 0)
      return absl::InvalidArgumentError(fmt::format("there is no communicator {} to free", event.count));
    return absl::OkStatus();
  }
  return event.communicator == 0 ? absl::OkStatus() : check_use(event);
}

}  // namespace fabrictwin::trace::format

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/dumpi/communicators.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "fmt/format.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::trace::dumpi {

Communicators::Communicators(uint32_t ranks) {
  Communicator& world_itself = resolved_[world()];
  world_itself.members.resize(ranks);
  std::iota(world_itself.members.begin(), world_itself.members.end(), 0u);
}

void Communicators::join(const std::string& name, const std::string& parent, int64_t key, uint32_t rank) {
  const auto [found, fresh] = index_.emplace(name, joining_.size());
  if (fresh) joining_.push_back({name, parent, {}});
  joining_[found->second].keys.emplace_back(key, rank);
}

absl::Status Communicators::resolve() {
  if (joining_.size() > format::kMaxCommunicator)
    return absl::UnimplementedError(fmt::format("a trace has at most {} communicators", format::kMaxCommunicator));
  // Parents are resolved before communicators made of them.
  for (const Joining& joining : joining_) {
    std::unordered_map<uint32_t, size_t> indices;
    const std::vector<uint32_t>& parent = resolved_[joining.parent].members;
    for (size_t i = 0; i < parent.size(); ++i) indices[parent[i]] = i;
    std::vector<std::tuple<int64_t, size_t, uint32_t>> order;
    for (const auto& [key, rank] : joining.keys) order.emplace_back(key, indices[rank], rank);
    std::sort(order.begin(), order.end());
    Communicator& communicator = resolved_[joining.name];
    communicator.number = static_cast<uint32_t>(&joining - joining_.data()) + 1;
    for (const auto& [key, index, rank] : order) communicator.members.push_back(rank);
  }
  return absl::OkStatus();
}

const Communicators::Communicator* Communicators::find(const std::string& name) const {
  const auto found = resolved_.find(name);
  return found == resolved_.end() ? nullptr : &found->second;
}

}  // namespace fabrictwin::trace::dumpi

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/proof/dependency_graph.h"

#include <algorithm>
#include <deque>

#include "fmt/format.h"

namespace fabrictwin::routing::proof {
namespace {

/// The most buffers of a cycle that an error names; nobody would read more.
constexpr size_t kMaxNamed = 16;

}  // namespace

DependencyGraph::DependencyGraph(const RouterGraph& routers, int32_t vcs)
    : routers_(routers), vcs_(vcs), words_(static_cast<size_t>((routers.most_ports() * vcs + 63) / 64)) {
  next_.resize(static_cast<size_t>(routers.channels()) * static_cast<size_t>(vcs));
  known_.resize(next_.size() * words_);
}

void DependencyGraph::add(int32_t from, int32_t to) {
  const int32_t router = routers_.channel_router(to / vcs_);
  std::vector<int32_t>& next = next_[from];
  if (routers_.channel_end(from / vcs_).router == router) {
    // Most edges are found repeatedly.
    const int32_t local = to - routers_.channel(router, 0) * vcs_;
    uint64_t& word = known_[static_cast<size_t>(from) * words_ + static_cast<size_t>(local / 64)];
    const uint64_t bit = uint64_t{1} << (local % 64);
    if ((word & bit) != 0) return;
    word |= bit;
  } else if (std::ranges::find(next, to) != next.end()) {
    return;
  }
  next.push_back(to);
  ++edges_;
}

bool DependencyGraph::rank(std::vector<int32_t>& ranks) const {
  std::vector<int32_t> before(next_.size());
  for (const auto& next : next_) {
    for (const int32_t to : next) ++before[to];
  }
  std::deque<int32_t> free;
  for (int32_t buffer = 0; buffer < buffers(); ++buffer) {
    if (before[buffer] == 0) free.push_back(buffer);
  }
  ranks.assign(next_.size(), 0);
  int32_t count = 0;
  while (!free.empty()) {
    const int32_t buffer = free.front();
    free.pop_front();
    ranks[buffer] = count++;
    for (const int32_t to : next_[buffer]) {
      if (--before[to] == 0) free.push_back(to);
    }
  }
  return count == buffers();
}

std::vector<int32_t> DependencyGraph::find_cycle() const {
  // The rest of the graph after repeatedly removing buffers without predecessors or without successors.
  std::vector<int32_t> before(next_.size());
  std::vector<int32_t> after(next_.size());
  std::vector<std::vector<int32_t>> previous(next_.size());
  for (int32_t from = 0; from < buffers(); ++from) {
    after[from] = static_cast<int32_t>(next_[from].size());
    for (const int32_t to : next_[from]) {
      ++before[to];
      previous[to].push_back(from);
    }
  }
  std::vector<bool> gone(next_.size());
  std::vector<int32_t> free;
  const auto drop = [&](int32_t buffer) {
    if (gone[buffer] || (before[buffer] > 0 && after[buffer] > 0)) return;
    gone[buffer] = true;
    free.push_back(buffer);
  };
  for (int32_t buffer = 0; buffer < buffers(); ++buffer) drop(buffer);
  while (!free.empty()) {
    const int32_t buffer = free.back();
    free.pop_back();
    for (const int32_t to : next_[buffer]) {
      --before[to];
      drop(to);
    }
    for (const int32_t from : previous[buffer]) {
      --after[from];
      drop(from);
    }
  }
  const auto start = std::ranges::find(gone, false);
  if (start == gone.end()) return {};
  // Every remaining buffer leads to another remaining one, so following them must return. From there, take the shortest
  // cycle.
  const auto left_after = [&](int32_t from) {
    return *std::ranges::find_if(next_[from], [&](int32_t to) { return !gone[to]; });
  };
  std::vector<bool> seen(next_.size());
  auto at = static_cast<int32_t>(start - gone.begin());
  while (!seen[at]) {
    seen[at] = true;
    at = left_after(at);
  }
  std::vector<int32_t> came_from(next_.size(), -1);
  std::deque<int32_t> queue = {at};
  while (true) {
    const int32_t from = queue.front();
    queue.pop_front();
    for (const int32_t to : next_[from]) {
      if (gone[to]) continue;
      if (to == at) {
        std::vector<int32_t> cycle;
        for (int32_t back = from; back != at; back = came_from[back]) cycle.push_back(back);
        cycle.push_back(at);
        std::ranges::reverse(cycle);
        return cycle;
      }
      if (came_from[to] >= 0) continue;
      came_from[to] = from;
      queue.push_back(to);
    }
  }
}

std::string DependencyGraph::buffer_name(int32_t buffer) const {
  const int32_t channel = buffer / vcs_;
  const int32_t router = routers_.channel_router(channel);
  return fmt::format("{} VC {}", routers_.port_name(router, channel - routers_.channel(router, 0)), buffer % vcs_);
}

std::string DependencyGraph::cycle_text(const std::vector<int32_t>& cycle) const {
  std::string text;
  for (size_t i = 0; i < std::min(cycle.size(), kMaxNamed); ++i) text += buffer_name(cycle[i]) + " -> ";
  if (cycle.size() > kMaxNamed) text += fmt::format("{} more -> ", cycle.size() - kMaxNamed);
  return text + buffer_name(cycle.front());
}

}  // namespace fabrictwin::routing::proof

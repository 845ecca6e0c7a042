// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/wait_circles.h"

#include <cstdint>
#include <optional>

#include "fmt/format.h"

namespace fabrictwin::mpi {
namespace {

// The most ranks of a cycle that are named.
constexpr size_t kTold = 32;

std::string circle_text(std::span<const RankEngine* const> engines, const std::vector<size_t>& circle) {
  std::string text = "deadlock: ";
  for (size_t i = 0; i < circle.size() && i < kTold; ++i)
    text += fmt::format("rank {}, {} -> ", circle[i], engines[circle[i]]->call());
  if (circle.size() > kTold) text += fmt::format("{} more ranks -> ", circle.size() - kTold);
  return text + fmt::format("rank {}", circle[0]);
}

}  // namespace

std::vector<std::string> wait_circles(std::span<const RankEngine* const> engines) {
  const auto next = [&](size_t rank) -> std::optional<size_t> {
    const std::optional<int32_t> peer = engines[rank] == nullptr ? std::nullopt : engines[rank]->waits_for_rank();
    if (!peer.has_value() || static_cast<size_t>(*peer) >= engines.size()) return std::nullopt;
    return static_cast<size_t>(*peer);
  };
  std::vector<std::string> lines;
  std::vector<size_t> walk(engines.size(), 0);  // Number of the walk that visited it, from 1; 0: none.
  for (size_t start = 0; start < engines.size(); ++start) {
    std::optional<size_t> at = start;
    while (at.has_value() && walk[*at] == 0) {
      walk[*at] = start + 1;
      at = next(*at);
    }
    if (!at.has_value() || walk[*at] != start + 1) continue;
    std::vector<size_t> circle = {*at};
    for (size_t each = *next(*at); each != *at; each = *next(each)) circle.push_back(each);
    lines.push_back(circle_text(engines, circle));
  }
  return lines;
}

}  // namespace fabrictwin::mpi

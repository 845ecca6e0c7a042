// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "workloads/mpi/collectives/algorithms.h"

namespace fabrictwin::mpi::collectives {
namespace {

// Sizes of the ranks' parts, with sums over consecutive ones.
class PartSums {
 public:
  explicit PartSums(std::span<const uint64_t> bytes) : bytes_(bytes), before_(bytes.size() + 1, 0) {
    std::partial_sum(bytes.begin(), bytes.end(), before_.begin() + 1);
  }
  // Bytes of `parts` consecutive parts, at most all, from that of rank `first` on, with wrap-around.
  uint64_t bytes(int32_t first, int32_t parts) const {
    const size_t begin = static_cast<size_t>(first);
    const size_t end = begin + static_cast<size_t>(parts);
    const size_t ranks = bytes_.size();
    if (end <= ranks) return before_[end] - before_[begin];
    return before_[ranks] - before_[begin] + before_[end - ranks];
  }

 private:
  std::span<const uint64_t> bytes_;
  std::vector<uint64_t> before_;
};

// Parts that a rank of a binomial tree holds for itself and those below it, `mask` of them if all are there.
uint64_t subtree(const OpList& list, int32_t relative, int32_t mask, uint64_t bytes) {
  return bytes * static_cast<uint64_t>(std::min(mask, list.ranks - relative));
}

// One direction of the ring: blocks one after the other, each in pieces.
struct RingEnd {
  int32_t block;
  uint64_t left;  // Bytes of all blocks that are still to come.
  uint64_t offset = 0;

  uint64_t piece(std::span<const uint64_t> bytes, uint64_t most) const {
    return left == 0 ? 0 : std::min(most, bytes[static_cast<size_t>(block)] - offset);
  }
  void advance(std::span<const uint64_t> bytes, uint64_t size) {
    left -= size;
    offset += size;
    if (offset < bytes[static_cast<size_t>(block)]) return;
    offset = 0;
    block = block == 0 ? static_cast<int32_t>(bytes.size()) - 1 : block - 1;
  }
};

}  // namespace

void gather_binomial(OpList& list, int32_t root, uint64_t bytes) {
  const int32_t relative = (list.rank - root + list.ranks) % list.ranks;
  for (int32_t mask = 1; mask < list.ranks; mask <<= 1) {
    if ((relative & mask) != 0) return list.send(list.neighbour(-mask), subtree(list, relative, mask, bytes));
    if ((relative | mask) < list.ranks) list.receive(list.neighbour(mask), subtree(list, relative | mask, mask, bytes));
  }
}

void scatter_binomial(OpList& list, int32_t root, uint64_t bytes) {
  const int32_t relative = (list.rank - root + list.ranks) % list.ranks;
  int32_t mask = 1;
  while (mask < list.ranks && (relative & mask) == 0) mask <<= 1;
  if (mask < list.ranks) list.receive(list.neighbour(-mask), subtree(list, relative, mask, bytes));
  for (mask >>= 1; mask > 0; mask >>= 1) {
    if (relative + mask < list.ranks) list.send(list.neighbour(mask), subtree(list, relative + mask, mask, bytes));
  }
}

void gatherv_linear(OpList& list, int32_t root, uint64_t sent, std::span<const uint64_t> received) {
  if (list.rank != root) {
    if (sent == 0) return;
    if (list.ranks >= kGathervSynchronousRanks) {
      list.start_synchronous_send(root, sent);
    } else {
      list.start_send(root, sent);
    }
    return list.wait();
  }
  bool any = false;
  for (int32_t from = 0; from < list.ranks; ++from) {
    if (from == root || received[static_cast<size_t>(from)] == 0) continue;
    list.start_receive(from, received[static_cast<size_t>(from)]);
    any = true;
  }
  if (any) list.wait();
}

void scatterv_linear(OpList& list, int32_t root, std::span<const uint64_t> sent, uint64_t received) {
  if (list.rank != root) return received > 0 ? list.receive(root, received) : void();
  bool any = false;
  for (int32_t to = 0; to < list.ranks; ++to) {
    if (to == root || sent[static_cast<size_t>(to)] == 0) continue;
    list.start_send(to, sent[static_cast<size_t>(to)]);
    any = true;
  }
  if (any) list.wait();
}

void allgatherv_recursive_doubling(OpList& list, std::span<const uint64_t> bytes) {
  const PartSums sums(bytes);
  for (int32_t mask = 1; mask < list.ranks; mask <<= 1) {
    const int32_t peer = list.rank ^ mask;
    list.exchange(peer, sums.bytes(list.rank & ~(mask - 1), mask), peer, sums.bytes(peer & ~(mask - 1), mask));
  }
}

void allgatherv_bruck(OpList& list, std::span<const uint64_t> bytes) {
  const PartSums sums(bytes);
  int32_t distance = 1;
  const auto step = [&](int32_t parts) {
    const int32_t from = list.neighbour(distance);
    list.exchange(list.neighbour(-distance), sums.bytes(list.rank, parts), from, sums.bytes(from, parts));
  };
  for (; distance <= list.ranks / 2; distance *= 2) step(distance);
  if (list.ranks > distance) step(list.ranks - distance);
}

void allgatherv_ring(OpList& list, std::span<const uint64_t> bytes, uint64_t piece) {
  const uint64_t total = std::accumulate(bytes.begin(), bytes.end(), uint64_t{0});
  const int32_t right = list.neighbour(1);
  const int32_t left = list.neighbour(-1);
  RingEnd out{.block = list.rank, .left = total - bytes[static_cast<size_t>(right)]};
  RingEnd in{.block = left, .left = total - bytes[static_cast<size_t>(list.rank)]};
  while (out.left > 0 || in.left > 0) {
    const uint64_t sent = out.piece(bytes, piece);
    const uint64_t received = in.piece(bytes, piece);
    // Neighbouring ranks may have nothing to send.
    if (received > 0) list.start_receive(left, received);
    if (sent > 0) list.start_send(right, sent);
    if (received > 0 || sent > 0) list.wait();
    out.advance(bytes, sent);
    in.advance(bytes, received);
  }
}

}  // namespace fabrictwin::mpi::collectives

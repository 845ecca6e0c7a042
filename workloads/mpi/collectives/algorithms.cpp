// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/collectives/algorithms.h"

#include <algorithm>

namespace fabrictwin::mpi::collectives {
namespace {

// The bytes of a vector of `bytes` bytes in `blocks` blocks of `block` bytes from block `first` on; the last blocks may
// be short or empty.
uint64_t part_of(uint64_t bytes, uint64_t block, uint64_t first, uint64_t blocks) {
  const uint64_t begin = std::min(bytes, first * block);
  return std::min(bytes, (first + blocks) * block) - begin;
}

// Gives rank root + i block i of the vector, down a binomial tree. Whoever gets nothing neither sends nor receives.
void scatter_for_bcast(OpList& list, int32_t root, uint64_t bytes, uint64_t block) {
  const int32_t relative = (list.rank - root + list.ranks) % list.ranks;
  int32_t mask = 1;
  while (mask < list.ranks && (relative & mask) == 0) mask <<= 1;
  if (mask < list.ranks) {
    const uint64_t size = part_of(bytes, block, static_cast<uint64_t>(relative), static_cast<uint64_t>(mask));
    if (size > 0) list.receive(list.neighbour(-mask), size);
  }
  for (mask >>= 1; mask > 0; mask >>= 1) {
    if (relative + mask >= list.ranks) continue;
    const uint64_t size = part_of(bytes, block, static_cast<uint64_t>(relative + mask), static_cast<uint64_t>(mask));
    if (size > 0) list.send(list.neighbour(mask), size);
  }
}

uint64_t bcast_block(uint64_t bytes, int32_t ranks) {
  return (bytes + static_cast<uint64_t>(ranks) - 1) / static_cast<uint64_t>(ranks);
}

}  // namespace

void barrier_dissemination(OpList& list) {
  for (int32_t mask = 1; mask < list.ranks; mask <<= 1)
    list.exchange(list.neighbour(mask), 0, list.neighbour(-mask), 0);
}

void bcast_binomial(OpList& list, int32_t root, uint64_t bytes) {
  const int32_t relative = (list.rank - root + list.ranks) % list.ranks;
  int32_t mask = 1;
  while (mask < list.ranks && (relative & mask) == 0) mask <<= 1;
  if (mask < list.ranks) list.receive(list.neighbour(-mask), bytes);
  for (mask >>= 1; mask > 0; mask >>= 1) {
    if (relative + mask < list.ranks) list.send(list.neighbour(mask), bytes);
  }
}

void bcast_scatter_doubling_allgather(OpList& list, int32_t root, uint64_t bytes) {
  const uint64_t block = bcast_block(bytes, list.ranks);
  scatter_for_bcast(list, root, bytes, block);
  const int32_t relative = (list.rank - root + list.ranks) % list.ranks;
  for (int32_t mask = 1; mask < list.ranks; mask <<= 1) {
    const int32_t other = relative ^ mask;
    const int32_t peer = (other + root) % list.ranks;
    const auto held = [&](int32_t of) {
      return part_of(bytes, block, static_cast<uint64_t>(of & ~(mask - 1)), static_cast<uint64_t>(mask));
    };
    list.exchange(peer, held(relative), peer, held(other));
  }
}

void bcast_scatter_ring_allgather(OpList& list, int32_t root, uint64_t bytes) {
  const uint64_t block = bcast_block(bytes, list.ranks);
  scatter_for_bcast(list, root, bytes, block);
  const int32_t relative = (list.rank - root + list.ranks) % list.ranks;
  for (int32_t step = 0; step + 1 < list.ranks; ++step) {
    const auto held = [&](int32_t back) {
      return part_of(bytes, block, static_cast<uint64_t>((relative - back + list.ranks) % list.ranks), 1);
    };
    list.exchange(list.neighbour(1), held(step), list.neighbour(-1), held(step + 1));
  }
}

void allgather_recursive_doubling(OpList& list, uint64_t bytes) {
  for (int32_t mask = 1; mask < list.ranks; mask <<= 1) {
    const uint64_t size = bytes * static_cast<uint64_t>(mask);
    list.exchange(list.rank ^ mask, size, list.rank ^ mask, size);
  }
}

void allgather_bruck(OpList& list, uint64_t bytes) {
  int32_t distance = 1;
  for (; distance <= list.ranks / 2; distance *= 2) {
    const uint64_t size = bytes * static_cast<uint64_t>(distance);
    list.exchange(list.neighbour(-distance), size, list.neighbour(distance), size);
  }
  const int32_t rest = list.ranks - distance;
  if (rest > 0) {
    const uint64_t size = bytes * static_cast<uint64_t>(rest);
    list.exchange(list.neighbour(-distance), size, list.neighbour(distance), size);
  }
}

void allgather_ring(OpList& list, uint64_t bytes) {
  for (int32_t step = 1; step < list.ranks; ++step) list.exchange(list.neighbour(1), bytes, list.neighbour(-1), bytes);
}

void alltoall_bruck(OpList& list, uint64_t bytes) {
  for (int32_t distance = 1; distance < list.ranks; distance *= 2) {
    uint64_t blocks = 0;
    for (int32_t block = 1; block < list.ranks; ++block) blocks += (block & distance) != 0 ? 1 : 0;
    list.exchange(list.neighbour(distance), blocks * bytes, list.neighbour(-distance), blocks * bytes);
  }
}

void alltoall_scattered(OpList& list, uint64_t bytes) {
  for (int32_t first = 0; first < list.ranks; first += kAlltoallThrottle) {
    const int32_t end = std::min(list.ranks, first + kAlltoallThrottle);
    for (int32_t i = first; i < end; ++i) list.start_receive(list.neighbour(i), bytes);
    for (int32_t i = first; i < end; ++i) list.start_send(list.neighbour(-i), bytes);
    list.wait();
  }
}

void alltoall_pairwise(OpList& list, uint64_t bytes) {
  const bool power_of_two = collectives::is_power_of_two(list.ranks);
  for (int32_t i = 1; i < list.ranks; ++i) {
    const int32_t from = power_of_two ? list.rank ^ i : list.neighbour(-i);
    const int32_t to = power_of_two ? list.rank ^ i : list.neighbour(i);
    list.exchange(to, bytes, from, bytes);
  }
}

void alltoallv_scattered(OpList& list, std::span<const uint64_t> sent, std::span<const uint64_t> received) {
  for (int32_t first = 0; first < list.ranks; first += kAlltoallThrottle) {
    const int32_t end = std::min(list.ranks, first + kAlltoallThrottle);
    for (int32_t i = first; i < end; ++i) {
      const int32_t from = list.neighbour(i);
      if (received[from] > 0) list.start_receive(from, received[from]);
    }
    for (int32_t i = first; i < end; ++i) {
      const int32_t to = list.neighbour(-i);
      if (sent[to] > 0) list.start_send(to, sent[to]);
    }
    list.wait();
  }
}

}  // namespace fabrictwin::mpi::collectives

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "workloads/mpi/collectives/algorithms.h"

namespace fabrictwin::mpi::collectives {
namespace {

// The vector of a reduction in `parts` parts of equal element counts; the last one takes the rest.
class Parts {
 public:
  Parts(uint64_t count, uint64_t element_bytes, int32_t parts)
      : count_(count), element_bytes_(element_bytes), parts_(parts) {}

  // Bytes of parts [begin, end).
  uint64_t bytes(int32_t begin, int32_t end) const {
    if (begin >= end) return 0;
    const uint64_t each = count_ / static_cast<uint64_t>(parts_);
    const uint64_t before = each * static_cast<uint64_t>(begin);
    return ((end == parts_ ? count_ : each * static_cast<uint64_t>(end)) - before) * element_bytes_;
  }

 private:
  uint64_t count_;
  uint64_t element_bytes_;
  int32_t parts_;
};

// The parts of the vector that a rank works on; kept between the halving and the doubling or gathering phase.
struct Window {
  int32_t send = 0;
  int32_t receive = 0;
  int32_t last = 0;
};

// The ranks that take part once the number of ranks has been folded to a power of two: every other one of the first 2 *
// rest ranks leaves. Reduce keeps the even ones (so that root 0 stays), allreduce the odd ones.
struct Folding {
  int32_t power;  ///< Ranks that stay.
  int32_t rest;   ///< Ranks that leave.
  bool odd_stay;

  Folding(int32_t ranks, bool odd_stay)
      : power(collectives::floor_power_of_two(ranks)), rest(ranks - power), odd_stay(odd_stay) {}

  bool leaves(int32_t rank) const { return rank < 2 * rest && (rank % 2 == 0) == odd_stay; }
  // Number of a rank among those that stay.
  int32_t folded(int32_t rank) const { return rank < 2 * rest ? rank / 2 : rank - rest; }
  int32_t unfolded(int32_t number) const { return number < rest ? 2 * number + (odd_stay ? 1 : 0) : number + rest; }
};

// Recursive vector halving, distance doubling.
Window reduce_scatter_phase(OpList& list, const Folding& folding, const Parts& parts, int32_t self) {
  Window window;
  window.last = folding.power;
  for (int32_t mask = 1; mask < folding.power;) {
    const int32_t other = self ^ mask;
    const int32_t peer = folding.unfolded(other);
    uint64_t sent = 0;
    uint64_t received = 0;
    if (self < other) {
      window.send = window.receive + folding.power / (mask * 2);
      sent = parts.bytes(window.send, window.last);
      received = parts.bytes(window.receive, window.send);
    } else {
      window.receive = window.send + folding.power / (mask * 2);
      sent = parts.bytes(window.send, window.receive);
      received = parts.bytes(window.receive, window.last);
    }
    list.exchange_to_reduce(peer, sent, peer, received);
    window.send = window.receive;
    mask <<= 1;
    // The following phase needs the last step's value.
    if (mask < folding.power) window.last = window.receive + folding.power / mask;
  }
  return window;
}

// One step back from halves to wholes: what is sent and received when joining with `other` over `mask`.
void join(Window& window, const Folding& folding, const Parts& parts, int32_t self, int32_t other, int32_t mask,
          uint64_t& sent, uint64_t& received) {
  if (self < other) {
    if (mask != folding.power / 2) window.last += folding.power / (mask * 2);
    window.receive = window.send + folding.power / (mask * 2);
    sent = parts.bytes(window.send, window.receive);
    received = parts.bytes(window.receive, window.last);
  } else {
    window.receive = window.send - folding.power / (mask * 2);
    sent = parts.bytes(window.send, window.last);
    received = parts.bytes(window.receive, window.send);
  }
}

}  // namespace

void reduce_binomial(OpList& list, int32_t root, uint64_t bytes) {
  const int32_t relative = (list.rank - root + list.ranks) % list.ranks;
  for (int32_t mask = 1; mask < list.ranks; mask <<= 1) {
    if ((relative & mask) != 0) {
      list.send(((relative & ~mask) + root) % list.ranks, bytes);
      return;
    }
    const int32_t source = relative | mask;
    if (source < list.ranks) list.receive_to_reduce((source + root) % list.ranks, bytes);
  }
}

void reduce_scatter_gather(OpList& list, int32_t root, uint64_t count, uint64_t element_bytes) {
  const Folding folding(list.ranks, false);
  const Parts parts(count, element_bytes, folding.power);
  const uint64_t bytes = count * element_bytes;
  const int32_t gone = -1;
  int32_t self = gone;
  if (folding.leaves(list.rank)) {
    list.send(list.rank - 1, bytes);
  } else {
    if (list.rank < 2 * folding.rest) list.receive_to_reduce(list.rank + 1, bytes);
    self = folding.folded(list.rank);
  }
  Window window;
  if (self != gone) window = reduce_scatter_phase(list, folding, parts, self);

  // A root that left takes over the part and the role of rank 0.
  const bool root_left = folding.leaves(root);
  if (root_left && list.rank == root) {
    list.receive(0, parts.bytes(0, 1));
    self = 0;
    window = {.send = 0, .receive = 0, .last = 2};
  } else if (root_left && self == 0) {
    list.send(root, parts.bytes(0, 1));
    self = gone;
  }
  if (self == gone) return;
  const int32_t folded_root = root_left ? 0 : folding.folded(root);
  for (int32_t mask = folding.power / 2; mask > 0; mask >>= 1) {
    const int32_t other = self ^ mask;
    const int32_t peer = other == 0 && root_left ? root : folding.unfolded(other);
    uint64_t sent = 0;
    uint64_t received = 0;
    join(window, folding, parts, self, other, mask, sent, received);
    // The rank whose half of the tree holds the root receives; the other one sends and has finished.
    if ((other & ~(mask - 1)) == (folded_root & ~(mask - 1))) {
      list.send(peer, sent);
      return;
    }
    list.receive(peer, received);
    if (self > other) window.send = window.receive;
  }
}

void allreduce_recursive_doubling(OpList& list, uint64_t bytes) {
  const Folding folding(list.ranks, true);
  if (folding.leaves(list.rank)) {
    list.send(list.rank + 1, bytes);
    list.receive(list.rank + 1, bytes);
    return;
  }
  const bool folds = list.rank < 2 * folding.rest;
  if (folds) list.receive_to_reduce(list.rank - 1, bytes);
  const int32_t self = folding.folded(list.rank);
  for (int32_t mask = 1; mask < folding.power; mask <<= 1) {
    const int32_t peer = folding.unfolded(self ^ mask);
    list.exchange_to_reduce(peer, bytes, peer, bytes);
  }
  if (folds) list.send(list.rank - 1, bytes);
}

void allreduce_scatter_allgather(OpList& list, uint64_t count, uint64_t element_bytes) {
  const Folding folding(list.ranks, true);
  const Parts parts(count, element_bytes, folding.power);
  const uint64_t bytes = count * element_bytes;
  if (folding.leaves(list.rank)) {
    list.send(list.rank + 1, bytes);
    list.receive(list.rank + 1, bytes);
    return;
  }
  const bool folds = list.rank < 2 * folding.rest;
  if (folds) list.receive_to_reduce(list.rank - 1, bytes);
  const int32_t self = folding.folded(list.rank);
  Window window = reduce_scatter_phase(list, folding, parts, self);
  for (int32_t mask = folding.power / 2; mask > 0; mask >>= 1) {
    const int32_t other = self ^ mask;
    const int32_t peer = folding.unfolded(other);
    uint64_t sent = 0;
    uint64_t received = 0;
    join(window, folding, parts, self, other, mask, sent, received);
    list.exchange(peer, sent, peer, received);
    if (self > other) window.send = window.receive;
  }
  if (folds) list.send(list.rank - 1, bytes);
}

void scan_recursive_doubling(OpList& list, uint64_t bytes) {
  for (int32_t mask = 1; mask < list.ranks; mask <<= 1) {
    const int32_t peer = list.rank ^ mask;
    if (peer < list.ranks) list.exchange_to_reduce(peer, bytes, peer, bytes);
  }
}

void reduce_scatter_halving(OpList& list, std::span<const uint64_t> bytes) {
  const Folding folding(list.ranks, true);
  const uint64_t total = std::accumulate(bytes.begin(), bytes.end(), uint64_t{0});
  const size_t rank = static_cast<size_t>(list.rank);
  if (folding.leaves(list.rank)) {
    list.send(list.rank + 1, total);
    if (bytes[rank] > 0) list.receive(list.rank + 1, bytes[rank]);
    return;
  }
  const bool folds = list.rank < 2 * folding.rest;
  if (folds) list.receive_to_reduce(list.rank - 1, total);
  // Where the parts of the remaining ranks begin; a rank that folds works for both.
  std::vector<uint64_t> begins(static_cast<size_t>(folding.power) + 1, 0);
  for (int32_t i = 0; i < folding.power; ++i) {
    const size_t from = static_cast<size_t>(folding.unfolded(i));
    begins[static_cast<size_t>(i) + 1] =
        begins[static_cast<size_t>(i)] + bytes[from] + (i < folding.rest ? bytes[from - 1] : 0);
  }
  const auto part = [&](int32_t begin, int32_t end) {
    return begins[static_cast<size_t>(end)] - begins[static_cast<size_t>(begin)];
  };
  const int32_t self = folding.folded(list.rank);
  for (int32_t mask = folding.power / 2; mask > 0; mask >>= 1) {
    const int32_t other = self ^ mask;
    const int32_t peer = folding.unfolded(other);
    const uint64_t received = part(self & ~(mask - 1), (self & ~(mask - 1)) + mask);
    const uint64_t sent = part(other & ~(mask - 1), (other & ~(mask - 1)) + mask);
    if (received > 0) list.start_receive_to_reduce(peer, received);
    if (sent > 0) list.start_send(peer, sent);
    if (received > 0 || sent > 0) list.wait();
  }
  if (folds && bytes[rank - 1] > 0) list.send(list.rank - 1, bytes[rank - 1]);
}

void reduce_scatter_pairwise(OpList& list, std::span<const uint64_t> bytes) {
  for (int32_t i = 1; i < list.ranks; ++i) {
    const int32_t to = list.neighbour(i);
    list.exchange_to_reduce(to, bytes[static_cast<size_t>(to)], list.neighbour(-i),
                            bytes[static_cast<size_t>(list.rank)]);
  }
}

}  // namespace fabrictwin::mpi::collectives

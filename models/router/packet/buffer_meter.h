// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How full the input buffers of routers are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/router/packet/records.h"

namespace fabrictwin::router::packet {

/// Counts the bytes in the input buffers of routers at chosen times, word by word, although a packet network moves
/// whole packets: a word is in a buffer from the arrival of its last byte until it begins to leave. What is going on at
/// a chosen time is remembered until that time; everything else is only added up. With several shards, each has a meter
/// of its own for all routers, and the sum over the meters is what is in a router. Not thread-safe.
class BufferMeter {
 public:
  static constexpr int32_t kNoRouter = -1;

  explicit BufferMeter(int32_t routers) : settled_(static_cast<size_t>(routers)) {}

  /// Chooses the next time, in femtoseconds, which never decreases. No packet has left at or after the previous one.
  void choose(int64_t time) { chosen_ = time; }
  /// A packet begins to leave router `from` for router `to` at `begin`, over a link. Either may be kNoRouter: a host.
  void add(int32_t from, int32_t to, const LinkKind& link, int32_t bytes, int64_t begin);
  /// Adds to `bytes`, by router, what this meter has of the chosen time, before anything happens then. All packets that
  /// leave before it must have been added.
  void count(std::span<int64_t> bytes);
  /// Whether words that the last count() did not see are still on their way from or to a router.
  bool moving() const { return !transfers_.empty(); }

 private:
  /// The words of a packet that come to a router or leave it, one after the other.
  struct Transfer {
    const LinkKind* link = nullptr;
    int64_t begin = 0;  ///< When the first word leaves or would have arrived if it were empty.
    int32_t router = 0;
    int32_t bytes = 0;
    bool arrives = false;
  };

  void add(const Transfer& transfer);
  int64_t done_by(const Transfer& transfer, int64_t time) const;

  int64_t chosen_ = 0;
  std::vector<int64_t> settled_;     ///< By router: bytes that have come and not left, of completed transfers.
  std::vector<Transfer> transfers_;  ///< Those that are not complete before the chosen time.
};

}  // namespace fabrictwin::router::packet

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Which footers an APErouter may mark and which it must, from what goes in and comes out at its pins: bounds of the
// queue of each output, written from docs/models/exanet-congestion.md and not from the RTL.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>

#include "tests/rtl/ape_router/ape_reference.h"

namespace fabrictwin::test {

/// Told of each word at the edge at which it enters a buffer or the output register. An input's packets that lead
/// nowhere leave unseen, so between the bounds lie theirs; and what waits is counted at least only when its way must be
/// known inside.
class ApeMarks {
 public:
  ApeMarks(const ApeShape& shape, const ApeConfig& config);

  /// A word of a packet goes in, which leaves through `hop`, or nowhere.
  void entered(int input, const ApeWord& word, std::optional<ApeHop> hop);
  /// A word goes from an input's buffer into the register of `port`. Of a footer: with the packet's words, and whether
  /// the router has marked it. The last word of each edge's call is followed by edge().
  void left(int input, int port, const ApeWord& word, int packet_words, bool marked);
  /// Credits came to the router.
  void credited(int port, const ApeCredit& credit);
  void edge();

  int marked() const { return marked_; }
  int must() const { return must_; }          ///< Footers that had to be eligible.
  int unmarked() const { return unmarked_; }  ///< Footers that could not be.
  /// Checks the number of marks of each port against the rate.
  void check_end(const std::array<int, kApeMaxPorts>& counted) const;

 private:
  struct Packet {
    std::optional<ApeHop> hop;
    int words = 0;      ///< In the buffers: two for the packet and its payload.
    int64_t since = 0;  ///< The edge after which it was known.
    bool leaving = false;
  };
  struct Bounds {
    int least = 0;
    int most = 0;
  };
  struct Output {
    int words = 0;  ///< Credits left, were nothing granted but what has left.
    int packets = 0;
    int may = 0, must = 0, marked = 0;
  };

  Bounds bounds(int port) const;

  ApeShape shape_;
  ApeConfig config_;
  std::array<std::deque<Packet>, 2 * kApeMaxPorts> inputs_;
  std::array<std::array<Output, 2>, kApeMaxPorts> outputs_;
  std::array<std::array<Bounds, 3>, kApeMaxPorts> queues_{};  ///< After the last edges, the newest first.
  int64_t now_ = 0;
  int marked_ = 0, must_ = 0, unmarked_ = 0;
};

}  // namespace fabrictwin::test

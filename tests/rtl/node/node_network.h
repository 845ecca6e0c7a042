// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Devices joined by delay lines: board links that carry packets and count credits, and network links that carry framed
// words. Every link checks the rules of framing and credits.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tests/rtl/node/node_device.h"

namespace fabrictwin::test {

/// Chances in percent that a link takes no word in a cycle.
struct NodeStalls {
  unsigned link = 0;
  unsigned stream = 0;
};

class NodeNetwork {
 public:
  static constexpr int kBufferWords = 64;

  NodeNetwork(uint64_t seed, NodeStalls stalls) : random_(seed), stalls_(stalls) {}

  /// Takes a device; its number.
  int add(std::unique_ptr<NodeDevice> device);
  NodeDevice& device(int d) { return *devices_[static_cast<size_t>(d)]; }
  int size() const { return static_cast<int>(devices_.size()); }

  /// Joins board links, both ways; a word is at the other end so many cycles after it left. Delays are 1 or more.
  void join(int a, int link_a, int b, int link_b, int delay);
  /// Joins network links; a word each `gear` cycles.
  void join_streams(int a, int link_a, int b, int link_b, int delay, int gear);
  /// Gives a device a word as it is, behind what is on its way to it. Needs no credit and gives none.
  void inject(int d, int link, const LinkWord& word);
  /// Words of network links in a million that get a wrong bit from now on, and how many did.
  void set_damage(unsigned per_million) { damage_ = per_million; }
  int damaged() const { return damaged_; }
  /// Nothing comes through network links while they are dead, and their ends receive no signal.
  void set_dead(bool dead) { dead_ = dead; }
  /// Called for each packet that has left a device through a board link.
  std::function<void(int d, int link, const std::vector<FlitWord>& words, bool vc)> on_packet;
  /// Skips edges of idle devices.
  void set_skipping(bool skipping) { skipping_ = skipping; }
  int64_t skipped() const { return skipped_; }
  /// Changes with every word that leaves a device and when.
  uint64_t digest() const { return digest_; }

  void step();
  void run(int64_t cycles) {
    for (int64_t i = 0; i < cycles; ++i) step();
  }
  /// Until it holds, at most so many cycles; whether it came to hold.
  bool run_until(const std::function<bool()>& condition, int64_t limit);
  /// Until all devices are idle and nothing is on any link.
  bool drain(int64_t limit);
  bool idle() const;
  int64_t now() const { return now_; }
  /// All credits of all board links are back.
  void expect_all_credits() const;

 private:
  /// One direction of a board link.
  struct Lane {
    int from = 0, from_link = 0, to = 0, to_link = 0, delay = 1;
    std::deque<std::pair<int64_t, LinkWord>> words;
    std::deque<std::pair<int64_t, LinkCredit>> credits;
    std::array<int, 2> used{};
    std::array<int, 2> foreign{};  ///< Words that were injected and whose credits are not back.
    std::array<std::vector<FlitWord>, 2> packets;
  };
  /// One direction of a network link.
  struct Stream {
    int from = 0, from_link = 0, to = 0, to_link = 0, delay = 1, gear = 1;
    std::deque<std::pair<int64_t, Word128>> words;
    int64_t next = 0;  ///< When the next word may leave.
  };

  LinkPins& link(int d, int l) { return device(d).links[static_cast<size_t>(l)]; }
  StreamPins& stream(int d, int l) { return device(d).streams[static_cast<size_t>(l)]; }
  void take(Lane& lane);
  Word128 carried(const Word128& word);
  void leave(Lane& lane, const LinkWord& word);
  void mix(uint64_t value) { digest_ = (digest_ ^ value) * 0x100000001b3u; }

  RandomSource random_;
  NodeStalls stalls_;
  std::vector<std::unique_ptr<NodeDevice>> devices_;
  std::vector<Lane> lanes_;
  std::vector<Stream> streams_;
  std::vector<bool> skip_;
  unsigned damage_ = 0;
  int damaged_ = 0;
  bool dead_ = false;
  bool skipping_ = false;
  int64_t skipped_ = 0;
  int64_t now_ = 0;
  uint64_t digest_ = 0xcbf29ce484222325u;
};

}  // namespace fabrictwin::test

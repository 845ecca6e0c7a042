// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Random traffic, good and bad, through all ports and both VCs of an APErouter, with stalls on every interface, against
// a scoreboard.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "cosim/base/random.h"
#include "tests/rtl/ape_router/ape_marks.h"
#include "tests/rtl/ape_router/ape_reference.h"

namespace fabrictwin::test {

/// What happens how often, in percent (bad packets: per mille).
struct ApeTrafficPlan {
  uint64_t seed = 1;
  int packets = 500;
  int rx = 100;         ///< A port sends a word if it can.
  int ready = 100;      ///< A link takes a word.
  int credit = 100;     ///< A neighbour returns credits.
  int bad = 0;          ///< Packets that break the format or lead nowhere.
  int reconfigure = 0;  ///< Per mille of edges: priorities and arbitration change.
  int toggle = 0;       ///< Per mille of edges: a port of `toggled` goes off or on.
  uint32_t toggled = 0;
  bool tiny_neighbours = false;  ///< The neighbours have room for one packet.
  bool overflow = false;         ///< The senders ignore credits for tile port 0, VC 0.
  int mark_threshold = 0;        ///< With the next three as in ApeConfig; only without bad packets and toggling.
  int mark_rate = 0;
  int mark_least = 0;
  bool mark_hosts = true;
};

/// What was seen, for the corner cases that a test says it covers.
struct ApeCoverage {
  int delivered = 0;
  int credit_stalls = 0;    ///< Edges at which a packet waited for credits.
  int full = 0;             ///< Edges at which a sender had a word and no credits: all buffers are full.
  int empty_packets = 0;    ///< Delivered without payload.
  int largest_packets = 0;  ///< Delivered with the largest payload.
  int back_to_back = 0;     ///< A header in the cycle after a footer on the same port.
  int mixed = 0;            ///< Words of both VCs of a port in turn.
  int priority_changes = 0;
  int disables = 0;
  int truncated = 0;
  int dropped_route = 0;
  int dropped_disabled = 0;
  int malformed = 0;
  int overflows = 0;
  int marked = 0;         ///< Footers that the router marked,
  int must_mark = 0;      ///< that could not but be marked but for the rate,
  int must_not_mark = 0;  ///< and that must not be.
  uint64_t ways = 0;      ///< Distinct (input VC, output VC) pairs.
};

/// One router among its neighbours.
class ApeTraffic {
 public:
  ApeTraffic(std::unique_ptr<ApeModel> model, const ApeConfig& config, const ApeTrafficPlan& plan);

  /// Runs until everything has come out, and checks it all with GoogleTest.
  void run();
  const ApeCoverage& coverage() const { return coverage_; }

 private:
  struct Expected {
    int input = 0;
    ApeHop hop;
    std::vector<ApeWord> words;
    bool lossy = false;  ///< May be dropped or cut short: its ports go off and on.
  };
  struct Source {
    std::vector<ApeWord> packet;
    std::optional<ApeHop> hop;
    size_t next = 0;
    int words = 0;    ///< Credits.
    int packets = 0;  ///< Credits.
  };
  struct Sink {
    const Expected* packet = nullptr;
    uint32_t sequence = 0;
    size_t next = 0;
    int held_words = 0;
    int held_packets = 0;
  };
  enum class Bad { kNone, kLength, kOutside, kNoTilePort, kTooShort, kCutOff, kTooLong, kStray };

  bool chance(int of, int outcomes) {
    return static_cast<int>(random_.next_below(static_cast<uint64_t>(outcomes))) < of;
  }
  int below(int bound) { return static_cast<int>(random_.next_below(static_cast<uint64_t>(bound))); }
  void start_packet(int port, int vc);
  void drive_words();
  void take_words();
  void check_word(int port, const ApeWord& word);
  void return_credits();
  void take_credits();
  void reconfigure();
  bool quiet() const;
  void watch_marks();
  void check_end();

  std::unique_ptr<ApeModel> model_;
  ApeShape shape_;
  ApeConfig config_;
  ApeTrafficPlan plan_;
  RandomStream random_;
  std::array<std::array<Source, 2>, kApeMaxPorts> sources_;
  std::array<std::array<Sink, 2>, kApeMaxPorts> sinks_;
  std::array<bool, kApeMaxPorts> ended_{};  ///< The port's last taken word was a footer at the edge before.
  std::array<int, kApeMaxPorts> last_vc_{};
  std::map<uint32_t, Expected> expected_;            ///< By sequence number.
  std::array<uint32_t, 2 * kApeMaxPorts> newest_{};  ///< By input VC: the sequence number that came out last.
  std::map<int, int> ways_;
  std::array<int, kApeMaxPorts> sent_{};
  std::optional<ApeMarks> marks_;
  std::array<bool, kApeMaxPorts> shown_{};  ///< The port had a word before the edge that was not taken.
  std::array<std::optional<ApeCredit>, kApeMaxPorts> returned_{};       ///< At this edge.
  std::array<std::array<const Expected*, 2>, kApeMaxPorts> leaving_{};  ///< By port and VC, for marks.
  int expected_dropped_route_ = 0;
  uint32_t sequence_ = 0;
  int started_ = 0;
  ApeCoverage coverage_;
};

}  // namespace fabrictwin::test

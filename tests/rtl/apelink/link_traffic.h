// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/rtl/apelink/link_pins.h"

namespace fabrictwin::test {

/// How the traffic goes; chances in percent and cycle, of damage in 1/10000 and word.
struct TrafficPlan {
  int packets = 300;  ///< For each side and VC.
  int buffer = 64;    ///< Credits of each VC.
  int max_payload = 512;
  int fixed_payload = -1;  ///< All packets carry this many bytes.
  int send = 90;           ///< A word is offered.
  int drain = 90;          ///< Words leave the router's input buffer.
  int stall_in = 0;
  int stall_out = 0;
  int damage = 0;           ///< Flip a bit, or two of a header.
  int tred_change = 0;      ///< In 1/1000: another threshold for one VC.
  int health_change = 0;    ///< In 1/1000.
  uint32_t error_rate = 0;  ///< Of the channel's own errors; what it hits is not known to the scoreboard.
};

/// Two routers that keep the protocol, a scoreboard of what each must receive, and damage on purpose.
class LinkTraffic {
 public:
  LinkTraffic(LinkPins& link, const TrafficPlan& plan, uint64_t seed);

  /// Runs until all is sent, received and credited; then everything is checked that must hold at the end.
  void run();
  /// One cycle.
  void cycle();

  std::map<std::string, int> coverage;
  int cycles = 0;
  /// Payload words that have arrived at each side.
  std::array<int64_t, 2> payload_words{};

 private:
  /// What was done to a packet on the wire.
  struct Sent {
    std::vector<Word> words;
    int header_flips = 0;
    int body_flips = 0;
    bool frame_hit = false;
    bool lost() const { return frame_hit || header_flips > 1; }
  };
  struct Vc {
    int to_send = 0;
    std::vector<Word> packet;  ///< The one that goes into the transmitter.
    size_t next = 0;
    int credits = 0;
    std::deque<std::vector<Word>> offered;      ///< Not on the wire yet.
    std::deque<std::shared_ptr<Sent>> on_wire;  ///< Towards the other side.
    // Reception.
    bool receiving = false;
    std::shared_ptr<Sent> expected;
    size_t received = 0;
    int held = 0;   ///< Words in the input buffer.
    int freed = 0;  ///< Words whose credits are to be returned.
  };
  struct Side {
    std::array<Vc, 2> vc;
    WireParser parser;
    size_t wire_packets = 0;
    std::vector<std::shared_ptr<Sent>> current;  ///< By number on the wire; damage may come while it is received.
    int hit_early = -1;                          ///< The packet whose Magic was damaged before its Start was seen.
    int health = 0;
    int seen_health = 0;
    std::array<int, 2> tred{0xFFFF, 0xFFFF};
    std::array<int, 2> used{};
    int last_vc = 0;
    bool offering = false;
  };

  int below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  void offer(int side);
  void start_packet(Vc& vc);
  void return_credits(int side);
  void change_settings(int side);
  void look_at_wire(int side);
  void damage(int side, const std::array<Unit, 4>& units);
  void receive(int side);
  void take_credits(int side);
  bool done() const;
  void check_end();

  LinkPins& link_;
  TrafficPlan plan_;
  std::mt19937_64 random_;
  std::array<Side, 2> sides_;
  int largest_words_;
};

}  // namespace fabrictwin::test

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a network of packets that carry their words along meets links of words: docs/models/word-edge.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "cosim/link/packet.h"
#include "cosim/link/record.h"
#include "models/kernel/pool.h"

namespace fabrictwin::fabric {

/// A packet on its way through a network of packets, with the words that it is made of.
struct CarriedPacket {
  static constexpr int32_t kNowhere = -1;

  uint8_t count = 0;             ///< Words of the packet,
  uint8_t here = 0;              ///< and those that have come.
  bool whole = false;            ///< It came at once, so no word can be late.
  int32_t leaves_by = kNowhere;  ///< The number of the edge by which it leaves, once its header has left.
  std::array<link::Word, link::kMaxPacketWords> words{};
  std::array<Time, link::kMaxPacketWords> arrived{};  ///< When each word has come, unless it is `whole`.
};

/// The packets of a network by number.
using CarriedPackets = kernel::Pool<CarriedPacket>;

/// A port of a network of packets at a link that carries words of any network interface. A packet is in the network as
/// soon as its header is there. Each of its words leaves as late as the network says, but not before it could have been
/// passed on by a router of words after it has come. Not thread-safe.
class CarryingEdge {
 public:
  /// The other end of the link. Words and credits may be told before they leave, words in the order of their slots and
  /// the credits of each VC in order.
  class Neighbour {
   public:
    virtual ~Neighbour() = default;
    /// Words leave by edge `edge` in consecutive slots from `slot` on, with the flags of a burst (link::Record).
    virtual void words_leave(int32_t edge, int64_t slot, uint8_t vc, uint8_t flags,
                             std::span<const link::Word> words) = 0;
    virtual void credit_leaves(int32_t edge, Time sent, uint8_t vc, uint8_t words) = 0;
  };
  struct Config {
    int32_t number = 0;         ///< The number of the edge, which CarriedPacket::leaves_by and Neighbour are told.
    Clock clock{Frequency{1}};  ///< Of the router.
    Clock slots{Frequency{1}};  ///< Of the link, in both directions.
    Time latency;               ///< Of words and credits that come.
    int32_t buffer_words = 0;   ///< Of each VC of the router's port.
    bool whole = false;         ///< The other end gives whole packets.
  };
  /// A packet that comes: its header has arrived.
  struct Arrival {
    uint32_t packet = 0;
    uint8_t vc = 0;
    Time head;
    Time tail;  ///< When its last word will have arrived if there are no gaps.
    link::PacketHeader header;
  };

  /// `packets`, which other edges of the network use too, and `neighbour` outlive it.
  CarryingEdge(const Config& config, CarriedPackets& packets, Neighbour& neighbour);

  /// Words come in consecutive slots from `slot` on, with the flags of a burst. Adds the packets that begin, and the
  /// edges by which packets leave of which words have come. Says what is wrong if these are not words that a network
  /// interface may send now, and is empty otherwise.
  std::string take(int64_t slot, uint8_t vc, uint8_t flags, std::span<const link::Word> words,
                   std::vector<Arrival>& arrivals, std::vector<int32_t>& leaving);
  /// A credit comes. Says what is wrong if it is for more than has been sent.
  std::string take_credit(uint8_t vc, int32_t words);

  /// Sends a packet whose header has left at `header_left`, and its last word at `footer_left` or, as the link has
  /// slots and as its words come, later. Its number is free when all of it has left.
  void send(uint32_t packet, uint8_t vc, Time header_left, Time footer_left);
  /// Words of a packet that leaves here have come.
  void go_on();
  /// The oldest packet of a VC that has come and has not been given back leaves its buffer at `sent`. Its credit leaves
  /// then, but not before its last word has come.
  void give_back(Time sent, uint8_t vc);
  /// When a word that is sent in slot `slot` arrives.
  Time arrives(int64_t slot) const { return config_.slots.edge(slot + 1) + config_.latency; }
  /// When a credit that leaves at `sent` arrives.
  Time arrives(Time sent) const { return sent + config_.latency; }
  /// One line for each VC by which a part of a packet has come: "VC 0: 17 of 18 words have come".
  std::vector<std::string> waits() const;

 private:
  /// A packet in the buffer of a VC.
  struct Buffered {
    uint8_t words = 0;
    Time tail = Time::never();    ///< When its last word has arrived.
    Time leaves = Time::never();  ///< When it has left the buffer.
  };
  struct Vc {
    uint32_t coming = 0;            ///< The packet whose words come, or 0.
    std::deque<Buffered> buffered;  ///< The oldest first.
    int64_t sent = 0;               ///< Words whose credits are not back,
    int64_t here = 0;               ///< and words from there whose credits have not been returned.
  };
  /// A packet that leaves.
  struct Leaving {
    uint32_t packet = 0;
    uint8_t vc = 0;
    uint8_t gone = 0;   ///< Words that have left.
    int64_t first = 0;  ///< Slot of its header,
    int64_t last = 0;   ///< and that of its last word, as far as the network knows.
  };

  std::string begin(int64_t slot, uint8_t vc, std::span<const link::Word> words, std::vector<Arrival>& arrivals);
  void add(CarriedPacket& packet, int64_t slot, std::span<const link::Word> words) const;
  int64_t slot_of(const CarriedPacket& packet, const Leaving& leaving, int32_t index) const;
  bool leave(Leaving& leaving);
  void return_credits(uint8_t vc);

  Config config_;
  CarriedPackets& packets_;
  Neighbour& neighbour_;
  std::array<Vc, link::kVcs> vcs_;
  std::deque<Leaving> leaving_;
  int64_t next_slot_ = 0;
};

}  // namespace fabrictwin::fabric

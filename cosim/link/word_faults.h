// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What faults do to the words and credits of one direction of a link: docs/models/faults.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/base/fifo.h"
#include "cosim/base/random.h"
#include "cosim/base/time.h"
#include "cosim/link/counters.h"
#include "cosim/link/record.h"

namespace fabrictwin::link {

/// Samples wrong bits, each independent of the others. Numbers are compared as integers and come from operations that
/// IEEE 754 rounds in one way, so that all processors sample the same. Immutable.
class BitErrors {
 public:
  /// The most bits that are sampled at once: frame and header of a packet.
  static constexpr int32_t kMostBits = 192;

  /// `rate`, from 0 to below 1, is the probability of an error in each bit.
  explicit BitErrors(double rate);

  /// Calls `wrong(bit)` for each wrong bit of `bits`, in rising order, as sample `number` of a stream.
  template <typename Wrong>
  void sample(const RandomStream& stream, uint64_t number, int32_t bits, Wrong wrong) const {
    const uint64_t first = number * (kMostBits + 1);
    if (stream.at(first) >= any_[bits]) return;
    bool found = false;
    for (int32_t bit = 0; bit < bits; ++bit) {
      // As long as none has been wrong, at least one of those that are left is.
      if (stream.at(first + 1 + static_cast<uint64_t>(bit)) >= (found ? any_[1] : first_of_[bits - bit])) continue;
      found = true;
      wrong(bit);
    }
  }

 private:
  /// By number of bits, as thresholds for 64 bits: that one of them is wrong, and that the first is if one is.
  std::array<uint64_t, kMostBits + 1> any_{};
  std::array<uint64_t, kMostBits + 1> first_of_{};
};

/// A fault of one direction of a link.
struct WordFault {
  Time at;
  Time until = Time::never();
  double bit_error_rate = 0;  ///< 0: the link carries nothing while it lasts.
};

/// What a fault has done; readable from any thread.
struct WordFaultCounters {
  Counter wrong_bits;
  Counter corrected_headers;  ///< Headers with one wrong bit.
  Counter damaged_packets;    ///< Packets that were delivered with the mark of a wrong CRC.
  Counter lost_packets;       ///< Packets that were not delivered,
  Counter lost_words;         ///< and their words, whose credits come back.
  Counter late_credits;       ///< Credits that came with a later frame.
  Counter held_words;         ///< Words that waited for the link to return.
};

/// The channel between a sender's egress and a receiver's ingress while faults last. What comes out is a function of
/// what went in, of the seed and of the channel; so it is the same whatever is at the ends, and wherever they are. Not
/// thread-safe, but for the counters.
class WordFaults {
 public:
  struct Config {
    uint64_t seed = 0;
    int32_t channel = 0;
    Clock word_clock{Frequency{1}};
    Time latency;
    Time back_latency;  ///< Latency of the other direction, by which credits come back.
    /// How long after a loss credits have been made good: APElinks. Zero: nothing is lost, packets wait.
    Time refresh;
    std::vector<WordFault> faults;       ///< Those with a rate do not overlap, nor do the others.
    std::vector<WordFault> back_faults;  ///< Those of the other direction.
  };
  /// A word on the wire: kStartOfPacket on a header, kEndOfPacket on a footer.
  struct Sent {
    int64_t slot = 0;
    Word word;
    uint8_t vc = 0;
    uint8_t flags = 0;
  };
  /// Credits of words that were lost.
  struct Returned {
    Time arrival;  ///< At the sender of the words.
    uint8_t vc = 0;
    uint8_t count = 0;
  };

  explicit WordFaults(Config config);

  /// What becomes of the next word; words are given in the order of their slots, each packet of a VC whole. It leaves
  /// in its slot or in a later one that no other word has, or never.
  std::optional<Sent> pass(Sent sent);
  /// When a credit that is sent leaves, so to say: the receiver knows of it a latency after that, or never. Later ones
  /// may be known sooner.
  Time credit(Time sent, uint8_t vc);
  /// Takes the next credits that pass() gives back, if any.
  bool take_returned(Returned& returned);

  /// By fault, as configured.
  const std::vector<WordFaultCounters>& counters() const { return counters_; }

 private:
  static constexpr int32_t kNone = -1;

  /// The packet of a VC.
  struct Packet {
    int32_t lost = kNone;     ///< The fault because of which it is not delivered.
    int32_t damaged = kNone;  ///< The fault because of which its footer is marked.
    int32_t held = kNone;     ///< The fault that it waits for,
    int64_t from = 0;         ///< and its first slot after that.
    int32_t words = 0;        ///< Words of it that have been lost.
    Time over;                ///< When the last of them could have arrived.
  };

  std::optional<Sent> lose(Sent sent);
  std::optional<Sent> hold(Sent sent);
  /// The first slot from `slot` on in which a packet can begin, or any if there is none.
  int64_t begin_held(Packet& packet, int64_t slot) const;
  void begin(Packet& packet, Time leaves);
  void damage(Packet& packet, Sent& sent, Time leaves);
  void give_back(const Packet& packet, uint8_t vc, Time arrival);
  /// The fault in whose time what leaves and arrives then is on the wire without being delivered, or kNone.
  int32_t down(const std::vector<WordFault>& faults, Time leaves, Time arrives) const;
  /// The fault with bit errors at a time, or kNone.
  int32_t errors(Time leaves) const;
  Time until_of(const Packet& packet) const { return config_.faults[static_cast<size_t>(packet.held)].until; }
  /// When something that leaves at `sent` can first be delivered, with what makes it good.
  Time next_up(const std::vector<WordFault>& faults, Time sent, Time latency) const;
  /// When the frame after a loss at `end` leaves.
  Time made_good(Time end) const;

  Config config_;
  RandomStream word_stream_;
  RandomStream credit_stream_;
  std::vector<BitErrors> bit_errors_;  ///< By fault.
  std::vector<WordFaultCounters> counters_;
  std::array<Packet, kVcs> packets_;
  uint64_t number_ = 0;  ///< Words so far.
  /// Words that have waited for the link have slots from one of these to before the other.
  int64_t waiting_from_ = std::numeric_limits<int64_t>::max();
  int64_t free_slot_ = 0;
  Fifo<Returned> returned_;
};

}  // namespace fabrictwin::link

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The ExaNet torus router as a state machine that keeps step with the RTL, clock edge by clock edge.
// docs/models/exanet-router.md is the contract.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/link/packet.h"
#include "cosim/link/record.h"
#include "cosim/link/word_serializer.h"
#include "models/routing.h"

namespace fabrictwin {

/// Where a router's words and credits go.
class RouterLinks {
 public:
  virtual ~RouterLinks() = default;
  /// The link of `port` takes a word in slot `slot` of its word clock.
  virtual void transmit(int32_t router, int32_t port, int64_t slot, uint8_t vc, uint8_t flags, const Word& word) = 0;
  /// `count` words of input buffer of (port, vc) are free; the credit leaves at clock edge `cycle`.
  virtual void return_credit(int32_t router, int32_t port, int64_t cycle, uint8_t vc, uint8_t count) = 0;
};

/// One router. It is stepped only at cycles at which something can change; between them its state stands still. Not
/// thread-safe.
class ExanetRouter {
 public:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  static constexpr int32_t kMaxPorts = 16;

  struct PortConfig {
    bool connected = false;
    Clock word_clock{Frequency{1}};
    int32_t credits = 0;  ///< Input buffer of the neighbour, in words of each VC.
    /// An APElink controller (docs/models/apelink.md) with a buffer for each VC, as large as the credits, stands
    /// between router and link: it takes a word a cycle and sends whole packets, VCs in turn, each with the quarter
    /// words of its framing. Otherwise VCs take turns word by word.
    bool apelink = false;
  };
  struct Config {
    std::string name;
    int32_t index = 0;  ///< Given back to RouterLinks.
    std::shared_ptr<const Routing> routing;
    Clock clock{Frequency{1}};
    int32_t buffer_words = 64;
    int32_t packet_gap = 2;         ///< See NodeTiming; 2 is what the RTL of the torus router has.
    std::vector<PortConfig> ports;  ///< At most kMaxPorts.
  };

  ExanetRouter(Config config, RouterLinks& links);

  const std::string& name() const { return config_.name; }

  /// A word or credit arrives at `port`; arrivals of one port come in order. Returns the cycle at which it is sampled.
  int64_t receive_word(int32_t port, Time arrival, uint8_t vc, uint8_t flags, const Word& word);
  int64_t receive_credit(int32_t port, Time arrival, uint8_t vc, uint8_t count);

  /// Simulates clock edge `cycle`; cycles never decrease. What the router sends goes to RouterLinks.
  void step(int64_t cycle);

  /// The next cycle at which step() can change anything, kNever if it only waits for arrivals that it has not been
  /// given.
  int64_t next_cycle() const { return next_cycle_; }

  /// Cycles in which a packet for `port` waited only for credits, up to the last step.
  uint64_t credit_stall_cycles(int32_t port) const { return outputs_[port].stall_cycles; }

  /// Words in all input buffers, as of the last step.
  int64_t buffered_words() const;

  /// Not empty once a word broke the packet format ("port x+, VC 0: packet begins without a header"); the router does
  /// no more work then.
  const std::string& failure() const { return failure_; }

 private:
  struct Entry {
    Word word;
    uint8_t flags = 0;
  };
  struct InputVc {
    std::unique_ptr<Entry[]> fifo;  ///< Made when first used.
    int32_t head = 0;
    int32_t size = 0;
    bool routed = false;
    bool granted = false;
    uint8_t output = 0;  ///< Output VC number, 2 * port + vc.
    uint8_t words = 0;   ///< Of the packet at the head.
    int32_t pending_credits = 0;
  };
  struct OutputVc {
    int32_t owner = -1;  ///< Input VC number.
    int32_t credits = 0;
    int32_t last_granted = 0;
    uint32_t requests = 0;  ///< Input VCs that are routed here and not granted.
  };
  struct Output {
    explicit Output(Clock clock, Clock word_clock) : serializer(clock, word_clock) {}
    bool idle() const { return !valid && waiting[0].empty() && waiting[1].empty(); }
    WordSerializer serializer;
    bool valid = false;
    uint8_t vc = 0;
    uint8_t flags = 0;
    uint8_t last_vc = 1;
    Word word;
    uint64_t stall_cycles = 0;
    std::array<std::deque<Entry>, kVcs> waiting;  ///< For the link, by VC, in a controller that sends whole packets.
    int32_t sending = -1;                         ///< The VC whose packet has begun there, or -1.
    uint8_t last_sent = 1;                        ///< The VC of the packet before.
    uint8_t framing = 0;                          ///< Quarter words of framing in the slot after the last word.
  };
  struct ArrivingWord {
    int64_t cycle;
    Word word;
    uint8_t vc;
    uint8_t flags;
  };
  struct ArrivingCredit {
    int64_t cycle;
    uint8_t vc;
    uint8_t count;
  };
  struct Input {
    explicit Input(Clock clock) : words_sampler(clock), credits_sampler(clock) {}
    ArrivalSampler words_sampler;
    ArrivalSampler credits_sampler;
    std::deque<ArrivingWord> words;
    std::deque<ArrivingCredit> credits;
  };

  bool load(int64_t cycle, int32_t port);
  bool send(int64_t cycle, int32_t port);
  /// The VC from which the controller of a link takes its next word, or -1.
  static int32_t next_sent(const Output& output);
  /// A word of the packet that has an output VC, or null.
  const Entry* take(int32_t port, int32_t vc);
  /// Whether what waits for credits counts as stalled, once an edge.
  bool allocate(bool count_stalls);
  bool route();
  bool return_credits(int64_t cycle);
  bool sample(int64_t cycle);
  void push(int32_t port, const ArrivingWord& arriving);
  void plan_next(int64_t cycle, bool changed);
  void fail(int32_t port, int32_t vc, const char* what);

  Config config_;
  RouterLinks& links_;
  int32_t ports_;
  std::vector<InputVc> input_vcs_;
  std::vector<OutputVc> output_vcs_;
  std::vector<Output> outputs_;
  std::vector<Input> inputs_;
  std::vector<int32_t> released_;  ///< Input VCs whose packet's last word left at this edge.
  uint32_t unrouted_ = 0;          ///< Input VCs with words, not routed.
  uint32_t requesting_ = 0;        ///< Output VCs with requests.
  uint32_t owned_ = 0;             ///< Output VCs with an owner.
  uint32_t creditors_ = 0;         ///< Input VCs with pending credits.
  uint32_t busy_ = 0;      ///< Output ports with words: bit kVcs * port, to be or-ed with owned_, of output VCs.
  uint32_t stalled_ = 0;   ///< Output ports at which a packet waits only for credits.
  uint32_t arriving_ = 0;  ///< Input ports with words or credits that have not been sampled.
  int64_t last_cycle_ = -1;
  int64_t next_cycle_ = kNever;
  std::string failure_;
};

}  // namespace fabrictwin

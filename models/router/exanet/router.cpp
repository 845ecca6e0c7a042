// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/exanet/router.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "cosim/link/packet.h"
#include "cosim/link/word_serializer.h"
#include "fmt/format.h"
#include "models/kernel/bit_mask.h"
#include "models/kernel/round_robin.h"
#include "models/router/exanet/apelink_controller.h"

namespace fabrictwin::router::exanet {
namespace {

// Visits the ports that have a VC in a set, in rising order.
template <int kMaskWords, typename Visit>
void for_each_port(const kernel::BitMask<kMaskWords>& vcs, Visit visit) {
  int32_t before = -1;
  vcs.for_each([&](int32_t vc) {
    if (vc / link::kVcs != before) visit(vc / link::kVcs);
    before = vc / link::kVcs;
  });
}

constexpr uint64_t kPortVcs = kernel::bit(link::kVcs) - 1;  ///< The VCs of one port.

/// A router of at most 64 * kWords input VCs.
template <int kWords>
class RouterOf final : public Router {
 public:
  RouterOf(Config config, RouterLinks& links);

  int64_t receive_word(int32_t port, Time arrival, uint8_t vc, uint8_t flags, const link::Word& word) override;
  int64_t receive_credit(int32_t port, Time arrival, uint8_t vc, uint8_t count) override;
  void step(int64_t cycle) override;
  uint64_t credit_stall_cycles(int32_t port) const override { return outputs_[port].stall_cycles; }
  uint64_t marked_packets() const override { return marked_packets_; }
  int64_t buffered_words() const override;
  int64_t buffered_words(int32_t port) const override;

 private:
  using VcMask = kernel::BitMask<kWords>;  ///< A bit for each input or output VC.

  struct InputVc {
    std::unique_ptr<BufferedWord[]> fifo;  ///< Allocated when first used.
    std::unique_ptr<int64_t[]> sampled;    ///< The cycles of these words, where a routing block needs them.
    int32_t head = 0;
    int32_t size = 0;
    bool routed = false;
    bool granted = false;
    bool delayed = false;  ///< The packet at the head passes the routing block.
    uint8_t output = 0;    ///< Output VC number, 2 * port + vc.
    uint8_t words = 0;     ///< Words of the packet at the head.
    int32_t pending_credits = 0;
  };
  struct OutputVc {
    int32_t owner = -1;  ///< Input VC number, or -1.
    int32_t credits = 0;
    kernel::RoundRobin arbiter;
    VcMask requests;  ///< Input VCs that are routed here and have no grant.
  };
  struct Output {
    explicit Output(Clock clock, Clock word_clock) : serializer(clock, word_clock) {}
    bool idle() const { return !valid && (!controller.has_value() || controller->empty()); }
    link::WordSerializer serializer;
    bool valid = false;
    uint8_t vc = 0;
    uint8_t flags = 0;
    link::Word word;
    kernel::RoundRobin turn;  ///< Among the VCs.
    uint64_t stall_cycles = 0;
    int32_t unmarked = 0;  ///< Packets that could be marked and are not to be, before the next that is.
    std::optional<ApelinkController> controller;  ///< A port with an APElink has one.
  };
  struct ArrivingWord {
    int64_t cycle;
    link::Word word;
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
    link::ArrivalSampler words_sampler;
    link::ArrivalSampler credits_sampler;
    std::deque<ArrivingWord> words;
    std::deque<ArrivingCredit> credits;
  };

  bool load(int64_t cycle, int32_t port);
  bool send(int64_t cycle, int32_t port);
  /// Whether there is a word of the packet that has an output VC.
  bool holds(int64_t cycle, int32_t port, int32_t vc) const;
  /// That word; a footer has its mark.
  BufferedWord take(int32_t port, int32_t vc);
  /// Whether the packet whose last word leaves is marked.
  bool mark(int32_t port, int32_t vc);
  /// Allocates output VCs; `count_stalls` says whether to count stalls, which is done once per edge.
  bool allocate(bool count_stalls);
  bool route(int64_t cycle);
  /// When the word at the head of an input VC has passed the routing block, if its packet has to.
  int64_t past_block(const InputVc& input) const;
  bool return_credits(int64_t cycle);
  bool sample(int64_t cycle);
  void push(int32_t port, const ArrivingWord& arriving);
  void plan_next(int64_t cycle, bool changed);
  void fail(int32_t port, int32_t vc, const char* what);

  int32_t ports_;
  std::vector<InputVc> input_vcs_;
  std::vector<OutputVc> output_vcs_;
  std::vector<Output> outputs_;
  std::vector<Input> inputs_;
  std::vector<int32_t> released_;  ///< Input VCs whose packet's last word left at this edge.
  VcMask unrouted_;                ///< Input VCs with words that are not routed.
  VcMask requesting_;              ///< Output VCs with requests.
  VcMask owned_;                   ///< Output VCs with an owner.
  VcMask creditors_;               ///< Input VCs with pending credits.
  VcMask busy_;                    ///< Output ports with words, as bit kVcs * port so that it combines with owned_.
  uint64_t stalled_ = 0;           ///< Output ports at which a packet waits only for credits.
  uint64_t arriving_ = 0;          ///< Input ports with words or credits that have not been sampled.
  uint64_t marked_packets_ = 0;
  int64_t last_cycle_ = -1;
  int64_t next_route_ = kNever;  ///< When the routing block is done with the first of the unrouted packets.
};

template <int kWords>
RouterOf<kWords>::RouterOf(Config config, RouterLinks& links)
    : Router(std::move(config), links), ports_(static_cast<int32_t>(config_.ports.size())) {
  input_vcs_.resize(static_cast<size_t>(ports_) * link::kVcs);
  output_vcs_.resize(static_cast<size_t>(ports_) * link::kVcs);
  for (int32_t port = 0; port < ports_; ++port) {
    const PortConfig& description = config_.ports[port];
    outputs_.emplace_back(config_.clock, description.word_clock);
    inputs_.emplace_back(config_.clock);
    if (description.apelink) outputs_.back().controller.emplace();
    for (int32_t vc = 0; vc < link::kVcs; ++vc) {
      OutputVc& output = output_vcs_[port * link::kVcs + vc];
      output.credits = description.connected ? description.credits : 0;
    }
  }
}

template <int kWords>
int64_t RouterOf<kWords>::receive_word(int32_t port, Time arrival, uint8_t vc, uint8_t flags, const link::Word& word) {
  const int64_t cycle = inputs_[port].words_sampler.sample(arrival);
  inputs_[port].words.push_back({cycle, word, vc, flags});
  arriving_ |= kernel::bit(port);
  next_cycle_ = std::min(next_cycle_, cycle);
  return cycle;
}

template <int kWords>
int64_t RouterOf<kWords>::receive_credit(int32_t port, Time arrival, uint8_t vc, uint8_t count) {
  const int64_t cycle = inputs_[port].credits_sampler.sample(arrival);
  inputs_[port].credits.push_back({cycle, vc, count});
  arriving_ |= kernel::bit(port);
  next_cycle_ = std::min(next_cycle_, cycle);
  return cycle;
}

// Every stage reads the state before the edge. So they run from the last to the first, and what the switch releases is
// applied at the end.
template <int kWords>
void RouterOf<kWords>::step(int64_t cycle) {
  kernel::for_each_bit(
      stalled_, [&](int32_t port) { outputs_[port].stall_cycles += static_cast<uint64_t>(cycle - last_cycle_ - 1); });
  last_cycle_ = cycle;
  bool changed = false;
  for_each_port(busy_ | owned_, [&](int32_t port) {
    changed |= load(cycle, port);
    if (outputs_[port].idle()) {
      busy_.reset(port * link::kVcs);
    } else {
      busy_.set(port * link::kVcs);
    }
  });
  changed |= allocate(true);
  changed |= route(cycle);
  changed |= return_credits(cycle);
  for (const int32_t i : released_) {
    InputVc& input = input_vcs_[i];
    OutputVc& output = output_vcs_[input.output];
    output.owner = -1;
    owned_.reset(input.output);
    input.routed = false;
    input.granted = false;
    input.pending_credits += input.words;
    creditors_.set(i);
    if (input.size > 0) unrouted_.set(i);
  }
  // Logic that looks ahead has already routed, and allocated, the next packet of the same input VC.
  if (!released_.empty() && config_.packet_gap < 2) route(cycle);
  if (!released_.empty() && config_.packet_gap < 1) allocate(false);
  released_.clear();
  changed |= sample(cycle);
  plan_next(cycle, changed);
}

// Transmit and switch: the link takes the output register, and a word of one of the port's output VCs replaces it.
template <int kWords>
bool RouterOf<kWords>::load(int64_t cycle, int32_t port) {
  Output& output = outputs_[port];
  const bool sent = output.controller.has_value() && send(cycle, port);
  const bool accepted = output.valid && output.serializer.ready(cycle);
  if (accepted) {
    links_.transmit(config_.index, port, output.serializer.accept(cycle), output.vc, output.flags, output.word);
    output.valid = false;
  }
  if (output.valid || (owned_.word_from(port * link::kVcs) & kPortVcs) == 0) return accepted || sent;
  // The VC that was not served last has priority.
  const int32_t vc = output.turn.find(link::kVcs, [&](int32_t asking) { return holds(cycle, port, asking); });
  if (vc < 0) return accepted || sent;
  output.turn.granted(vc, link::kVcs);
  const BufferedWord taken = take(port, vc);
  if (output.controller.has_value()) {
    output.controller->push(vc, taken);
    return true;
  }
  output.valid = true;
  output.word = taken.word;
  output.flags = taken.flags;
  output.vc = static_cast<uint8_t>(vc);
  return true;
}

template <int kWords>
bool RouterOf<kWords>::holds(int64_t cycle, int32_t port, int32_t vc) const {
  const int32_t owner = output_vcs_[port * link::kVcs + vc].owner;
  return owner >= 0 && input_vcs_[owner].size > 0 && past_block(input_vcs_[owner]) <= cycle;
}

template <int kWords>
BufferedWord RouterOf<kWords>::take(int32_t port, int32_t vc) {
  const int32_t owner = output_vcs_[port * link::kVcs + vc].owner;
  InputVc& input = input_vcs_[owner];
  BufferedWord entry = input.fifo[input.head];
  if ((entry.flags & link::kEndOfPacket) != 0 && config_.marking.enabled() && mark(port, vc))
    entry.word.hi |= link::kMarkBit;
  input.head = input.head + 1 == config_.buffer_words ? 0 : input.head + 1;
  --input.size;
  if ((entry.flags & link::kEndOfPacket) != 0) released_.push_back(owner);
  return entry;
}

template <int kWords>
bool RouterOf<kWords>::mark(int32_t port, int32_t vc) {
  int32_t queue = 0;
  for (int32_t o = port * link::kVcs; o < (port + 1) * link::kVcs; ++o) {
    const OutputVc& output = output_vcs_[o];
    if (output.owner >= 0) queue += input_vcs_[output.owner].size;
    output.requests.for_each([&](int32_t i) { queue += input_vcs_[i].size; });
  }
  const OutputVc& leaving = output_vcs_[port * link::kVcs + vc];
  const bool root = leaving.credits >= link::kMaxPacketWords || (config_.marking.hosts && config_.ports[port].to_host);
  if (queue <= config_.marking.threshold_words || !root ||
      input_vcs_[leaving.owner].words < config_.marking.least_words) {
    return false;
  }
  Output& output = outputs_[port];
  if (output.unmarked > 0) {
    --output.unmarked;
    return false;
  }
  output.unmarked = config_.marking.marking_rate;
  ++marked_packets_;
  return true;
}

// The controller puts the next word on the link; a word that the switch passes at this edge can leave at the next.
template <int kWords>
bool RouterOf<kWords>::send(int64_t cycle, int32_t port) {
  Output& output = outputs_[port];
  if (output.controller->next_vc() < 0 || !output.serializer.ready(cycle)) return false;
  const ApelinkController::Sent sent = output.controller->send(cycle, output.serializer);
  links_.transmit(config_.index, port, sent.slot, static_cast<uint8_t>(sent.vc), sent.word.flags, sent.word.word);
  return true;
}

template <int kWords>
bool RouterOf<kWords>::allocate(bool count_stalls) {
  bool changed = false;
  if (count_stalls) stalled_ = 0;
  requesting_.for_each([&](int32_t o) {
    OutputVc& output = output_vcs_[o];
    if (output.owner >= 0) return;
    if (output.credits < link::kMaxPacketWords) {
      const uint64_t port = kernel::bit(o / link::kVcs);
      if ((stalled_ & port) == 0 && count_stalls) ++outputs_[o / link::kVcs].stall_cycles;
      stalled_ |= port;
      return;
    }
    const int32_t winner = output.arbiter.pick(output.requests);
    output.owner = winner;
    output.arbiter.granted(winner, ports_ * link::kVcs);
    output.credits -= input_vcs_[winner].words;
    output.requests.reset(winner);
    input_vcs_[winner].granted = true;
    owned_.set(o);
    if (output.requests.none()) requesting_.reset(o);
    changed = true;
  });
  return changed;
}

template <int kWords>
bool RouterOf<kWords>::route(int64_t cycle) {
  bool changed = false;
  VcMask waiting;
  next_route_ = kNever;
  unrouted_.for_each([&](int32_t i) {
    InputVc& input = input_vcs_[i];
    const BufferedWord& entry = input.fifo[input.head];
    const link::PacketHeader header = link::PacketHeader::decode(entry.word);
    const routing::Hop hop = config_.routing->route(header, i / link::kVcs, i % link::kVcs);
    if ((entry.flags & link::kStartOfPacket) == 0)
      return fail(i / link::kVcs, i % link::kVcs, "a packet begins without a header");
    if (header.payload_bytes > link::kMaxPayloadBytes)
      return fail(i / link::kVcs, i % link::kVcs, "a header announces more than 256 bytes of payload");
    if (hop.port >= ports_ || !config_.ports[hop.port].connected)
      return fail(i / link::kVcs, i % link::kVcs, "a packet is routed to a port without a link");
    input.delayed =
        config_.routing_block > 0 && (config_.ports[i / link::kVcs].apelink || config_.ports[hop.port].apelink);
    if (const int64_t first = past_block(input); first > cycle) {
      next_route_ = std::min(next_route_, first);
      waiting.set(i);
      return;
    }
    changed = true;
    input.routed = true;
    input.output = static_cast<uint8_t>(hop.port * link::kVcs + hop.vc);
    input.words = static_cast<uint8_t>(header.packet_words());
    output_vcs_[input.output].requests.set(i);
    requesting_.set(input.output);
  });
  unrouted_ = waiting;
  return changed;
}

template <int kWords>
int64_t RouterOf<kWords>::past_block(const InputVc& input) const {
  return input.delayed ? input.sampled[input.head] + 1 + config_.routing_block : 0;
}

template <int kWords>
bool RouterOf<kWords>::return_credits(int64_t cycle) {
  const bool changed = creditors_.any();
  VcMask later;
  int32_t served_port = -1;
  creditors_.for_each([&](int32_t i) {
    const int32_t port = i / link::kVcs;
    // There is one credit register for each port: VC 0 comes first, VC 1 an edge later.
    if (port == served_port) {
      later.set(i);
      return;
    }
    served_port = port;
    InputVc& input = input_vcs_[i];
    links_.return_credit(config_.index, port, cycle + 1, static_cast<uint8_t>(i % link::kVcs),
                         static_cast<uint8_t>(input.pending_credits));
    input.pending_credits = 0;
  });
  creditors_ = later;
  return changed;
}

template <int kWords>
bool RouterOf<kWords>::sample(int64_t cycle) {
  bool changed = false;
  kernel::for_each_bit(arriving_, [&](int32_t port) {
    Input& input = inputs_[port];
    while (!input.credits.empty() && input.credits.front().cycle <= cycle) {
      output_vcs_[port * link::kVcs + input.credits.front().vc].credits += input.credits.front().count;
      input.credits.pop_front();
      changed = true;
    }
    while (!input.words.empty() && input.words.front().cycle <= cycle) {
      push(port, input.words.front());
      input.words.pop_front();
      changed = true;
    }
    if (input.credits.empty() && input.words.empty()) arriving_ &= ~kernel::bit(port);
  });
  return changed;
}

template <int kWords>
void RouterOf<kWords>::push(int32_t port, const ArrivingWord& arriving) {
  const int32_t i = port * link::kVcs + arriving.vc;
  InputVc& input = input_vcs_[i];
  if (input.size == config_.buffer_words)
    return fail(port, arriving.vc, "a word came without credit, the buffer is full");
  if (!input.fifo) input.fifo = std::make_unique<BufferedWord[]>(static_cast<size_t>(config_.buffer_words));
  int32_t tail = input.head + input.size;
  if (tail >= config_.buffer_words) tail -= config_.buffer_words;
  input.fifo[tail] = {arriving.word, arriving.flags};
  if (config_.routing_block > 0) {
    if (!input.sampled) input.sampled = std::make_unique<int64_t[]>(static_cast<size_t>(config_.buffer_words));
    input.sampled[tail] = arriving.cycle;
  }
  ++input.size;
  if (!input.routed) unrouted_.set(i);
}

template <int kWords>
void RouterOf<kWords>::plan_next(int64_t cycle, bool changed) {
  next_cycle_ = changed ? cycle + 1 : kNever;
  if (!failure_.empty()) {
    next_cycle_ = kNever;
    return;
  }
  if (changed) return;
  next_cycle_ = std::min(next_cycle_, next_route_);
  if (config_.routing_block > 0) {
    owned_.for_each([&](int32_t o) {
      const InputVc& input = input_vcs_[output_vcs_[o].owner];
      if (input.size == 0) return;
      if (const int64_t past = past_block(input); past > cycle) next_cycle_ = std::min(next_cycle_, past);
    });
  }
  for_each_port(busy_, [&](int32_t port) {
    const Output& output = outputs_[port];
    if (output.valid || (output.controller.has_value() && output.controller->next_vc() >= 0))
      next_cycle_ = std::min(next_cycle_, std::max(cycle + 1, output.serializer.ready_cycle()));
  });
  kernel::for_each_bit(arriving_, [&](int32_t port) {
    if (!inputs_[port].words.empty()) next_cycle_ = std::min(next_cycle_, inputs_[port].words.front().cycle);
    if (!inputs_[port].credits.empty()) next_cycle_ = std::min(next_cycle_, inputs_[port].credits.front().cycle);
  });
}

template <int kWords>
int64_t RouterOf<kWords>::buffered_words() const {
  int64_t words = 0;
  for (const InputVc& input : input_vcs_) words += input.size;
  return words;
}

template <int kWords>
int64_t RouterOf<kWords>::buffered_words(int32_t port) const {
  int64_t words = 0;
  for (int32_t vc = 0; vc < link::kVcs; ++vc) words += input_vcs_[port * link::kVcs + vc].size;
  return words;
}

template <int kWords>
void RouterOf<kWords>::fail(int32_t port, int32_t vc, const char* what) {
  if (failure_.empty()) failure_ = fmt::format("port {}, VC {}: {}", port, vc, what);
}

}  // namespace

std::unique_ptr<Router> Router::create(Config config, RouterLinks& links) {
  if (config.ports.size() * link::kVcs <= 64) return std::make_unique<RouterOf<1>>(std::move(config), links);
  return std::make_unique<RouterOf<kMaxPorts * link::kVcs / 64>>(std::move(config), links);
}

}  // namespace fabrictwin::router::exanet

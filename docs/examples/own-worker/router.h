// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A router of a torus as a state machine that is stepped at its clock edges, written from docs/models/exanet-router.md,
// whose numbers of steps are in the comments. It knows no time and no protocol: replace it by your own.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace own {

inline constexpr int kVcs = 2;
inline constexpr int kLargestPacket = 18;  // Words: header, 16 words of payload, footer.

// A word in the router.
struct Flit {
  std::array<uint64_t, 2> word{};  // Bits 63..0 first.
  bool header = false;
  bool footer = false;
};

class Router {
 public:
  struct Config {
    std::vector<int> dims, here;  // The lattice and the position of this router in it, X first.
    int buffer_words = 0;
    std::vector<int> credits;  // By port: the buffer behind it, on each VC; 0 if nothing is connected.
  };

  // What a port does at an edge.
  struct Out {
    bool sends = false;  // `flit` leaves on `vc`.
    Flit flit;
    int vc = 0;
    int credits = 0;  // So many words of input buffer of `credit_vc` are free; they leave at the next edge.
    int credit_vc = 0;
  };

  explicit Router(Config config)
      : config_(std::move(config)),
        outs_(config_.credits.size()),
        registers_(outs_.size()),
        inputs_(outs_.size() * kVcs),
        outputs_(outs_.size() * kVcs) {
    for (size_t o = 0; o < outputs_.size(); ++o) outputs_[o].credits = config_.credits[o / kVcs];
  }

  int ports() const { return static_cast<int>(outs_.size()); }
  const Out& out(int port) const { return outs_[static_cast<size_t>(port)]; }
  // What was wrong with a word, or empty.
  const std::string& failure() const { return failure_; }

  // Whether an edge without arrivals changes nothing.
  bool idle() const {
    for (const Register& r : registers_)
      if (r.valid) return false;
    for (const Input& input : inputs_)
      if (!input.flits.empty() || input.pending > 0) return false;
    return true;
  }

  // One clock edge. `ready` says by port whether the link takes a word. Every step reads the state before the edge, so
  // they are done from the last to the first; what arrives at this edge is given by receive() and credit() after it.
  void edge(const std::vector<bool>& ready) {
    std::vector<int> released;
    for (int p = 0; p < ports(); ++p) transmit_and_switch(p, ready[static_cast<size_t>(p)], released);
    allocate();
    route();
    for (int p = 0; p < ports(); ++p) return_credits(p);
    for (const int i : released) {
      Input& input = in(i);
      output(input.output).owner = -1;
      input.pending += input.words;
      input.routed = input.granted = false;
    }
  }

  // 1. Receive.
  void receive(int port, int vc, const Flit& flit) {
    Input& input = in(port * kVcs + vc);
    if (static_cast<int>(input.flits.size()) == config_.buffer_words) failure_ = "a word came without a credit";
    input.flits.push_back(flit);
  }

  // 7. Receive credits.
  void credit(int port, int vc, int count) { output(port * kVcs + vc).credits += count; }

 private:
  struct Input {  // An input VC.
    std::deque<Flit> flits;
    bool routed = false, granted = false;
    int output = 0, words = 0;  // The packet at the head wants this output VC and has so many words.
    int pending = 0;            // Credits to return.
  };
  struct Output {  // An output VC.
    int owner = -1;
    int credits = 0;
    int next = 0;  // The input VC that is asked first.
  };
  struct Register {  // An output port has one.
    bool valid = false;
    Flit flit;
    int vc = 0;
    int next_vc = 0;  // The VC that was not served last.
  };

  Input& in(int i) { return inputs_[static_cast<size_t>(i)]; }
  Output& output(int o) { return outputs_[static_cast<size_t>(o)]; }

  // 5. Transmit, 4. Switch.
  void transmit_and_switch(int port, bool ready, std::vector<int>& released) {
    Register& r = registers_[static_cast<size_t>(port)];
    Out& out = outs_[static_cast<size_t>(port)];
    out.sends = r.valid && ready;
    if (out.sends) {
      out.flit = r.flit;
      out.vc = r.vc;
      r.valid = false;
    }
    for (int k = 0; k < kVcs && !r.valid; ++k) {
      const int vc = (r.next_vc + k) % kVcs;
      const int owner = output(port * kVcs + vc).owner;
      if (owner < 0 || in(owner).flits.empty()) continue;
      r.valid = true;
      r.flit = in(owner).flits.front();
      r.vc = vc;
      in(owner).flits.pop_front();
      if (r.flit.footer) released.push_back(owner);
    }
    if (r.valid) r.next_vc = (r.vc + 1) % kVcs;
  }

  // 3. Allocate.
  void allocate() {
    const int all = static_cast<int>(inputs_.size());
    for (int o = 0; o < all; ++o) {
      Output& wanted = output(o);
      if (wanted.owner >= 0 || wanted.credits < kLargestPacket) continue;
      for (int k = 0; k < all && wanted.owner < 0; ++k) {
        const int i = (wanted.next + k) % all;
        Input& input = in(i);
        if (!input.routed || input.granted || input.output != o) continue;
        wanted.owner = i;
        wanted.next = (i + 1) % all;
        wanted.credits -= input.words;
        input.granted = true;
      }
    }
  }

  // 2. Route.
  void route() {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      Input& input = inputs_[i];
      if (input.routed || input.flits.empty()) continue;
      const Flit& head = input.flits.front();
      const int payload = static_cast<int>(head.word[0] >> 48 & 0x3ff);
      input.output = output_of(head.word, static_cast<int>(i) % kVcs);
      input.words = 2 + (payload + 15) / 16;
      input.routed = true;
      if (!head.header || input.words > kLargestPacket || input.output >= static_cast<int>(outputs_.size()) ||
          config_.credits[static_cast<size_t>(input.output / kVcs)] == 0)
        failure_ = "a packet begins with a word that is no header, or leads nowhere";
    }
  }

  // The output VC: dimension-ordered, the last dimension first, in the shorter direction.
  int output_of(const std::array<uint64_t, 2>& header, int vc) const {
    for (int d = static_cast<int>(config_.dims.size()) - 1; d >= 0; --d) {
      const int size = config_.dims[static_cast<size_t>(d)], here = config_.here[static_cast<size_t>(d)];
      const int to = static_cast<int>(header[0] >> (8 * d) & 0xff);
      if (to == here) continue;
      const int up = ((to - here) % size + size) % size;
      const bool tie = (header[1] >> (120 - 64 + d) & 1) != 0;
      const bool goes_up = 2 * up < size || (2 * up == size && !tie);
      return (1 + 2 * d + (goes_up ? 0 : 1)) * kVcs + (to > here ? 1 : 0);
    }
    return vc;
  }

  // 6. Return credits.
  void return_credits(int port) {
    Out& out = outs_[static_cast<size_t>(port)];
    out.credits = 0;
    for (int vc = 0; vc < kVcs && out.credits == 0; ++vc) {
      out.credit_vc = vc;
      std::swap(out.credits, in(port * kVcs + vc).pending);
    }
  }

  Config config_;
  std::vector<Out> outs_;
  std::vector<Register> registers_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::string failure_;
};

}  // namespace own

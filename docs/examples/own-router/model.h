// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The router of own_router.sv in C++, written from its description: every cycle is the same, so both give the same
// digests.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

namespace own {

inline constexpr int kPorts = 5;  // local, x+, x-, y+, y-
inline constexpr int kVcs = 4;
inline constexpr int kLanes = kPorts * kVcs;  // Input VCs, and as many output VCs.

struct Flit {
  bool first = false;
  bool last = false;
  int vc = 0;
  uint64_t data = 0;
};

// A port at one clock edge: what comes, and whether the link takes what is offered.
struct In {
  bool valid = false;
  Flit flit;
  int credits = 0;
  int credit_vc = 0;
  bool ready = false;
};

// What its registers hold after the edge.
struct Out {
  bool valid = false;
  Flit flit;
  int credit_vc = -1;  // A credit for this VC goes back, if any.
};

class Model {
 public:
  Model(std::array<int, 2> at, std::array<int, 2> size, std::array<int, kPorts> credits) : at_(at), size_(size) {
    for (int o = 0; o < kLanes; ++o) outputs_[o].credits = credits[o / kVcs];
  }

  const Out& out(int port) const { return out_[port]; }

  bool idle() const {
    for (const Out& out : out_)
      if (out.valid || out.credit_vc >= 0) return false;
    for (const Lane& lane : lanes_)
      if (!lane.flits.empty() || lane.owed > 0) return false;
    return true;
  }

  void edge(const std::array<In, kPorts>& in) {
    // Decisions look at what the registers hold before the edge.
    std::array<int, kLanes> given{};   // The input VC that gets an output VC, or -1.
    std::array<int, kPorts> sender{};  // The input VC whose flit an output takes, or -1.
    std::array<int, kPorts> back{};    // The VC whose credit goes back, or -1.
    for (int o = 0; o < kLanes; ++o)
      given[o] = outputs_[o].busy ? -1 : choose(outputs_[o].turn, [&](int i) { return wants(i, o); });
    for (int p = 0; p < kPorts; ++p) {
      const bool free = !out_[p].valid || in[p].ready;
      sender[p] = free ? choose(turn_[p], [&](int i) { return can_send(i, p); }) : -1;
      back[p] = -1;
      for (int k = kVcs - 1; k >= 0; --k) {
        const int vc = (credit_turn_[p] + k) % kVcs;
        if (lanes_[p * kVcs + vc].owed > 0) back[p] = vc;
      }
    }
    for (int p = 0; p < kPorts; ++p) send(p, sender[p], in[p].ready);
    for (int o = 0; o < kLanes; ++o) {
      if (given[o] < 0) continue;
      outputs_[o].busy = true;
      outputs_[o].turn = (given[o] + 1) % kLanes;
      lanes_[given[o]].output = o;
    }
    for (int p = 0; p < kPorts; ++p) {
      out_[p].credit_vc = back[p];
      if (back[p] >= 0) {
        --lanes_[p * kVcs + back[p]].owed;
        credit_turn_[p] = (back[p] + 1) % kVcs;
      }
      if (in[p].valid) lanes_[p * kVcs + in[p].flit.vc].flits.push_back(in[p].flit);
      outputs_[p * kVcs + in[p].credit_vc].credits += in[p].credits;
    }
  }

 private:
  struct Lane {
    std::deque<Flit> flits;
    int output = -1;  // The output VC of the packet whose flits go on, or -1.
    int owed = 0;     // Credits that have not been given back.
  };
  struct Output {
    bool busy = false;
    int credits = 0;
    int turn = 0;
  };

  // A round-robin arbiter: the first input VC at or after `from` that requests.
  template <class Requests>
  static int choose(int from, Requests requests) {
    for (int k = 0; k < kLanes; ++k)
      if (const int i = (from + k) % kLanes; requests(i)) return i;
    return -1;
  }

  bool wants(int i, int o) const {
    const Lane& lane = lanes_[i];
    return lane.output < 0 && !lane.flits.empty() && route(lane.flits.front().data, i / kVcs, (i & 2) != 0) == o;
  }

  bool can_send(int i, int port) const {
    const Lane& lane = lanes_[i];
    return lane.output >= 0 && lane.output / kVcs == port && !lane.flits.empty() && outputs_[lane.output].credits > 0;
  }

  void send(int port, int i, bool taken) {
    if (i < 0) {
      if (taken) out_[port].valid = false;
      return;
    }
    Lane& lane = lanes_[i];
    Flit flit = lane.flits.front();
    lane.flits.pop_front();
    ++lane.owed;
    turn_[port] = (i + 1) % kLanes;
    flit.vc = lane.output % kVcs;
    --outputs_[lane.output].credits;
    if (flit.last) {
      outputs_[lane.output].busy = false;
      lane.output = -1;
    }
    out_[port].valid = true;
    out_[port].flit = flit;
  }

  // The output VC of a packet: X first, then Y, in the shorter direction of a ring, up if both are equally long.
  int route(uint64_t header, int in_port, bool behind) const {
    const int destination = static_cast<int>(header & 0xfff);
    const std::array<int, 2> to{destination % size_[0], destination / size_[0]};
    for (int d = 0; d < 2; ++d) {
      const int up = (to[d] - at_[d] + size_[d]) % size_[d];
      if (up == 0) continue;
      const bool goes_up = 2 * up <= size_[d];
      const bool wraps = at_[d] == (goes_up ? size_[d] - 1 : 0);
      const bool crossed = (in_port == 1 + 2 * d || in_port == 2 + 2 * d) && behind;
      return (1 + 2 * d + (goes_up ? 0 : 1)) * kVcs + (crossed || wraps ? 2 : 0) + (destination & 1);
    }
    return destination & 1;
  }

  std::array<int, 2> at_, size_;
  std::array<Lane, kLanes> lanes_;
  std::array<Output, kLanes> outputs_;
  std::array<Out, kPorts> out_;
  std::array<int, kPorts> turn_{}, credit_turn_{};
};

}  // namespace own

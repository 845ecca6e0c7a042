// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The router with words of 512 bits at its pins, beside a reference of its own: packets are shorter, and every bit of a
// word gets through.
#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <vector>

#include "VExanetRouter512Checked__inputs.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

constexpr int kPorts = 7, kVcs = 2, kWordParts = 16, kWordBytes = 64, kBuffer = 64;
constexpr std::array<int, 3> kHere{1, 2, 0}, kSize{4, 4, 2};

using Word = std::array<uint32_t, kWordParts>;

struct Flit {
  Word data;
  bool sop, eop;
  bool operator==(const Flit&) const = default;
};

struct Packet {
  std::vector<Flit> flits;
  int output = 0;  ///< 2 * port + vc.
};

/// Z first, the shorter way round, and the way of the tie bit where both are equal.
int output_of(const std::array<int, 3>& to, uint32_t ties, int vc) {
  for (int d = 2; d >= 0; --d) {
    const auto at = static_cast<size_t>(d);
    if (to[at] == kHere[at]) continue;
    const int forward = (to[at] - kHere[at] + kSize[at]) % kSize[at];
    const int backward = kSize[at] - forward;
    const bool up = forward < backward || (forward == backward && (ties >> d & 1) == 0);
    return 2 * (up ? 1 + 2 * d : 2 + 2 * d) + (to[at] > kHere[at] ? 1 : 0);
  }
  return vc;
}

class ExanetRouter512 : public ModuleTest<VExanetRouter512Checked> {
 protected:
  ExanetRouter512() : ModuleTest(51) {
    model_.coordinates_i = kHere[0] | kHere[1] << 8 | kHere[2] << 16;
    model_.last_i = (kSize[0] - 1) | (kSize[1] - 1) << 8 | (kSize[2] - 1) << 16;
    model_.port_enable_i = 0x7f;
    model_.initial_credits_i = 0;
    for (int p = 0; p < kPorts; ++p) model_.initial_credits_i |= uint64_t{kBuffer} << (8 * p);
    reset();
    for (auto& credits : credits_) credits = kBuffer;
  }

  Packet packet(int vc, int bytes, const std::array<int, 3>& to) {
    const auto ties = static_cast<uint32_t>(draw(8));
    Packet packet;
    packet.output = output_of(to, ties, vc);
    const int words = 2 + (bytes + kWordBytes - 1) / kWordBytes;
    for (int w = 0; w < words; ++w) {
      Flit flit{{}, w == 0, w + 1 == words};
      for (uint32_t& part : flit.data) part = random_();
      packet.flits.push_back(flit);
    }
    Word& header = packet.flits[0].data;
    header[0] = static_cast<uint32_t>(to[0] | to[1] << 8 | to[2] << 16) | (header[0] & 0xff000000);
    header[1] = (header[1] & 0xffff) | static_cast<uint32_t>(bytes) << 16;
    header[3] = (header[3] & 0x00ffffff) | ties << 24;
    return packet;
  }
  Packet any_packet(int vc) {
    const int bytes = draw(257);
    std::array<int, 3> to{};
    for (size_t d = 0; d < 3; ++d) to[d] = draw(kSize[d]);
    return packet(vc, bytes, to);
  }

  /// Puts a packet into the queue of an input.
  void send(int input, const Packet& packet) {
    for (const Flit& flit : packet.flits) waiting_[static_cast<size_t>(input)].push_back(flit);
    sent_[static_cast<size_t>(input)].push_back(packet);
    ++left_;
  }

  /// One edge. Links bring words and take them, each with this chance in percent.
  void step(unsigned bring, unsigned take) {
    model_.rx_valid_i = model_.rx_vc_i = model_.rx_sop_i = model_.rx_eop_i = 0;
    for (int p = 0; p < kPorts; ++p) {
      const int vc = draw(kVcs);
      for (const int v : {vc, 1 - vc}) {
        const auto input = static_cast<size_t>(2 * p + v);
        if (waiting_[input].empty() || credits_[input] == 0 || !chance(bring)) continue;
        const Flit flit = waiting_[input].front();
        waiting_[input].pop_front();
        --credits_[input];
        model_.rx_valid_i |= 1 << p;
        model_.rx_vc_i |= v << p;
        model_.rx_sop_i |= flit.sop << p;
        model_.rx_eop_i |= flit.eop << p;
        for (int i = 0; i < kWordParts; ++i) model_.rx_data_i[kWordParts * p + i] = flit.data[static_cast<size_t>(i)];
        break;
      }
    }
    model_.tx_ready_i = 0;
    for (int p = 0; p < kPorts; ++p) model_.tx_ready_i |= (chance(take) ? 1 : 0) << p;
    model_.credit_valid_i = model_.credit_vc_i = 0;
    model_.credit_count_i = 0;
    for (int p = 0; p < kPorts; ++p) {
      for (int v = 0; v < kVcs; ++v) {
        int& taken = taken_[static_cast<size_t>(2 * p + v)];
        if (taken == 0 || (model_.credit_valid_i >> p & 1) != 0) continue;
        model_.credit_valid_i |= 1 << p;
        model_.credit_vc_i |= v << p;
        model_.credit_count_i |= static_cast<uint64_t>(taken) << (8 * p);
        taken = 0;
      }
    }
    model_.clk_i = 0;
    model_.eval();
    for (int p = 0; p < kPorts; ++p) {
      if ((model_.credit_valid_o >> p & 1) != 0)
        credits_[static_cast<size_t>(2 * p + (model_.credit_vc_o >> p & 1))] +=
            static_cast<int>(model_.credit_count_o >> (8 * p) & 0xff);
      if ((model_.tx_valid_o >> p & 1) != 0 && (model_.tx_ready_i >> p & 1) != 0) leave(p);
    }
    model_.clk_i = 1;
    model_.eval();
    ++cycles_;
  }

  void leave(int p) {
    const int output = 2 * p + static_cast<int>(model_.tx_vc_o >> p & 1);
    Flit flit{{}, (model_.tx_sop_o >> p & 1) != 0, (model_.tx_eop_o >> p & 1) != 0};
    for (int i = 0; i < kWordParts; ++i) flit.data[static_cast<size_t>(i)] = model_.tx_data_o[kWordParts * p + i];
    auto& arriving = arriving_[static_cast<size_t>(output)];
    arriving.push_back(flit);
    ++taken_[static_cast<size_t>(output)];
    ++words_;
    if (!flit.eop) return;
    arrived(output, arriving);
    arriving.clear();
  }

  /// It is the oldest packet of an input for this output, as none is overtaken on the way.
  void arrived(int output, const std::vector<Flit>& flits) {
    for (auto& sent : sent_) {
      const auto oldest =
          std::find_if(sent.begin(), sent.end(), [&](const Packet& packet) { return packet.output == output; });
      if (oldest == sent.end() || oldest->flits != flits) continue;
      sent.erase(oldest);
      --left_;
      return;
    }
    ADD_FAILURE() << "output " << output << ": a packet that was not sent there, or not now";
  }

  std::array<std::deque<Flit>, kPorts * kVcs> waiting_;
  std::array<std::deque<Packet>, kPorts * kVcs> sent_;
  std::array<int, kPorts * kVcs> credits_{}, taken_{};
  std::array<std::vector<Flit>, kPorts * kVcs> arriving_;
  int left_ = 0;
  int64_t words_ = 0, cycles_ = 0;
};

TEST_F(ExanetRouter512, PassesEveryBitToWhereItBelongs) {
  for (const auto& [bring, take] : {std::pair{100u, 100u}, {40u, 90u}, {100u, 30u}}) {
    for (int i = 0; i < 1500; ++i) send(draw(kPorts * kVcs), any_packet(i % 2));
    // The VC at the tile is that of the input.
    for (int i = 0; i < kPorts * kVcs; ++i) {
      for (Packet& sent : sent_[static_cast<size_t>(i)])
        if (sent.output < 2) sent.output = i % 2;
    }
    for (int k = 0; k < 60'000 && left_ > 0 && !HasFailure(); ++k) step(bring, take);
    ASSERT_EQ(left_, 0);
    EXPECT_EQ(model_.error_o, 0);
  }
  for (int k = 0; k < 100; ++k) step(100, 100);
  EXPECT_TRUE(model_.idle_o);
}

/// Words of a link in a cycle, for full packets of one and of two VCs to one output.
TEST_F(ExanetRouter512, FillsALink) {
  for (const int senders : {1, 2}) {
    for (int i = 0; i < 500; ++i) {
      for (int v = 0; v < senders; ++v) send(2 * 3 + v, packet(v, 256, {2, 2, 0}));
    }
    for (int k = 0; k < 50; ++k) step(100, 100);
    const int64_t words = words_, cycles = cycles_;
    while (left_ > 20 && !HasFailure() && cycles_ < cycles + 20'000) step(100, 100);
    const double rate = static_cast<double>(words_ - words) / static_cast<double>(cycles_ - cycles);
    std::printf("%d VCs: %.3f words a cycle, %.1f bytes of payload; at 200 MHz %.1f Gb/s of words, %.1f of payload\n",
                senders, rate, rate * 256 / 6, rate * 512 * 0.2, rate * 256 / 6 * 8 * 0.2);
    EXPECT_GT(rate, senders == 1 ? 0.74 : 0.85);
    while (left_ > 0 && !HasFailure() && cycles_ < cycles + 40'000) step(100, 100);
    ASSERT_EQ(left_, 0);
  }
}

}  // namespace
}  // namespace fabrictwin::test

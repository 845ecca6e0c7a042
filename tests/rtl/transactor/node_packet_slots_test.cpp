// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A neighbour that counts words alone, as models do, beside a node with the FIFOs of the prototype, which has slots for
// 64 packets on each VC of a link.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>

#include "rtl/transactor/node/transactor.h"
#include "tests/cosim/link/ring_memory.h"

namespace fabrictwin::test {
namespace {

constexpr int kBoardPort = 1;
constexpr int kPackets = 300;
constexpr int kWords = 2;  ///< Each packet has so many.

/// Both directions of a link.
struct Wires {
  struct Wire {
    Wire(const link::ChannelSpec& spec) : sender(spec, ring.get()), receiver(spec, ring.get()) {}
    TestRing ring{4096};
    link::ChannelSender sender;
    link::ChannelReceiver receiver;
  };
  Wires(uint32_t id, const std::string& name, Clock clock)
      : word_clock(clock),
        to_node({id, name + "->node", Time::from_ns(120), clock}),
        from_node({id + 1, "node->" + name, Time::from_ns(120), clock}) {}
  void bind(rtl::router::PortConfig& port, int credits) {
    port.enabled = true;
    port.word_clock = word_clock;
    port.initial_credits = credits;
    port.sender = &from_node.sender;
    port.receiver = &to_node.receiver;
    port.counters = &counters;
  }
  Clock word_clock;
  Wire to_node, from_node;
  link::LinkCounters counters;
};

class NodePacketSlots : public ::testing::Test {
 protected:
  NodePacketSlots() {
    rtl::node::Config config;
    config.name = "qfdb[0].router";
    config.x_bits = 1;
    config.dims = {2, 1, 1};
    config.router_clock = Clock(Frequency{156'250'000});
    host_.bind(config.ports[rtl::node::kNodeHostPort], 0);
    board_.bind(config.ports[kBoardPort], rtl::node::kNodeBoardCredits);
    network_.bind(config.ports[rtl::node::kNodeFirstNetworkPort], rtl::node::kNodeDeepCredits);
    auto node = rtl::node::Transactor::create(config);
    EXPECT_TRUE(node.ok()) << node.status();
    node_ = *std::move(node);
  }

  /// Headers and footers alone, for the FPGA behind the board link.
  void send_packets() {
    const uint64_t header = uint64_t{kBoardPort} << 58;
    for (int64_t word = 0; word < kPackets * kWords; ++word) {
      const bool first = word % kWords == 0;
      network_.to_node.sender.send_word(word, 0, first ? link::kStartOfPacket : link::kEndOfPacket,
                                        {first ? header : 0, 0});
    }
  }

  void run(Time until) {
    while (now_ < until) {
      now_ = now_ + Time::from_ps(62'500);
      for (Wires* wires : {&host_, &board_, &network_}) {
        ASSERT_TRUE(wires->to_node.receiver.poll().ok());
        ASSERT_TRUE(wires->from_node.receiver.poll().ok());
      }
      const absl::Status status = node_->advance(now_);
      ASSERT_TRUE(status.ok()) << status;
      for (Wires* wires : {&host_, &board_, &network_}) {
        wires->to_node.sender.flush(now_);
        wires->from_node.sender.flush(now_);
        while (wires->from_node.receiver.front() != nullptr) wires->from_node.receiver.pop();
      }
    }
  }
  uint64_t words_on_board() const { return board_.counters.words.get(); }

  Wires host_{0, "mpsoc[0]", Clock(Frequency{1})};
  Wires board_{2, "qfdb[0].switch[1]", Clock::of_words(Bandwidth{16'000'000'000}, link::kWordBits)};
  Wires network_{4, "qfdb[1].router", Clock::of_words(Bandwidth{10'000'000'000}, link::kWordBits)};
  std::unique_ptr<rtl::node::Transactor> node_;
  Time now_;
};

TEST_F(NodePacketSlots, PacketsWaitForSlots) {
  send_packets();
  run(Time::from_us(30));
  ASSERT_LE(words_on_board(), static_cast<uint64_t>(rtl::node::kNodeBoardCredits)) << "the others wait for credits";
  for (int given = 0; given < kPackets * kWords; given += 8) {
    for (uint8_t vc = 0; vc < link::kVcs; ++vc) board_.to_node.sender.send_credit(now_ + Time::from_ns(1), vc, 8, 0);
    run(now_ + Time::from_us(1));
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(words_on_board(), static_cast<uint64_t>(kPackets * kWords));
}

}  // namespace
}  // namespace fabrictwin::test

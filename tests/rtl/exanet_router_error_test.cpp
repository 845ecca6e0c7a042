// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Bad input is seen at its port, and never blocks the router: a good packet passes afterwards.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/rtl/pin_router.h"

namespace fabrictwin::test {
namespace {

constexpr int kBadPort = 2;

struct BadInput {
  std::string name;
  /// Drives kBadPort at edge k; false once there is no more.
  std::function<bool(PinRouter& router, int k)> drive;
};

link::PacketHeader here_header(int payload_bytes = 16) {
  link::PacketHeader header;
  header.coordinates = {1, 1, 1};
  header.payload_bytes = static_cast<uint16_t>(payload_bytes);
  return header;
}

BadInput words(const std::string& name, std::vector<LinkWord> list) {
  return {name, [list](PinRouter& router, int k) {
            if (k >= static_cast<int>(list.size())) return false;
            router.rx(kBadPort, list[k]);
            return true;
          }};
}

std::vector<BadInput> bad_inputs() {
  std::vector<BadInput> inputs;
  std::vector<LinkWord> packet = make_packet(here_header(), 0, 1);

  inputs.push_back(words("WordWithoutHeader", {packet[1]}));
  std::vector<LinkWord> list = packet;
  list[0].sop = false;
  inputs.push_back(words("HeaderWithoutStart", list));
  list = packet;
  list[1].sop = true;
  inputs.push_back(words("StartInsideAPacket", list));
  list = packet;
  list[2].eop = false;
  inputs.push_back(words("FooterWithoutEnd", list));
  list = packet;
  list.push_back({{1, 2}, 0, false, true});
  inputs.push_back(words("WordAfterTheFooter", list));
  list = packet;
  list[0].word = here_header(257).encode();
  inputs.push_back(words("PacketTooLong", list));
  list[0].word = here_header(1023).encode();
  inputs.push_back(words("PacketMuchTooLong", list));
  // The way there is connected, so nothing else is wrong with them.
  link::PacketHeader outside = here_header();
  outside.coordinates = {4, 1, 1};
  inputs.push_back(words("DestinationOutsideTheLatticeInX", make_packet(outside, 1, 1)));
  outside.coordinates = {1, 4, 1};
  inputs.push_back(words("DestinationOutsideTheLatticeInY", make_packet(outside, 1, 1)));
  link::PacketHeader nowhere = here_header();
  nowhere.coordinates = {1, 1, 2};
  list = make_packet(nowhere, 1, 1);
  inputs.push_back(words("PortThatIsNotConnected", list));
  inputs.push_back({"BufferOverflow", [packet](PinRouter& router, int k) {
                      // Whole packets, more than fit, while the tile is not ready.
                      if (k < 90) router.rx(kBadPort, packet[k % 3]);
                      return k < 90;
                    }});
  inputs.push_back({"CreditOverflow", [](PinRouter& router, int k) {
                      router.credit(kBadPort, {1, 1, 0});
                      return k < 1;
                    }});
  return inputs;
}

class ExanetRouterError : public testing::TestWithParam<BadInput> {};

TEST_P(ExanetRouterError, IsReportedAndDoesNotWedge) {
  rtl::router::Identity identity = full_identity({1, 1, 1}, {4, 4, 4});
  identity.port_enable = 0x1f;  // Z is not connected.
  PinRouter router(identity);
  int pushed = 0;
  int returned = 0;
  const auto edge = [&] {
    if (router.credit_valid(kBadPort)) returned += router.credit(kBadPort).count;
    router.edge();
  };
  int k = 0;
  while (GetParam().drive(router, k)) {
    edge();
    ++k;
  }
  if (GetParam().name != "CreditOverflow") pushed = k;
  const auto drain = [&](int edges) {
    std::vector<LinkWord> seen;
    for (int i = 0; i < edges; ++i) {
      if (router.tx_valid(0)) {
        seen.push_back(router.tx(0));
        router.credit(0, {router.tx(0).vc, 1, 0});
      }
      router.ready_all();
      edge();
    }
    return seen;
  };
  drain(300);
  EXPECT_EQ(router.errors(), 1 << kBadPort);

  // What is still stuck can only be a packet that lacks words, and good words complete it: after them all is well.
  const std::vector<LinkWord> good = make_packet(here_header(48), 0, 99);
  bool passed = false;
  for (int attempt = 0; attempt < 4 && !passed; ++attempt) {
    std::vector<LinkWord> seen;
    for (const LinkWord& word : good) {
      router.rx(kBadPort, word);
      ++pushed;
      for (const LinkWord& out : drain(1)) seen.push_back(out);
    }
    for (const LinkWord& out : drain(50)) seen.push_back(out);
    passed = seen == good;
  }
  EXPECT_TRUE(passed);
  // Each word that was not lost has made room.
  if (GetParam().name != "BufferOverflow") {
    EXPECT_EQ(returned, pushed);
  }
  EXPECT_TRUE(router.idle());
}

INSTANTIATE_TEST_SUITE_P(All, ExanetRouterError, testing::ValuesIn(bad_inputs()),
                         [](const testing::TestParamInfo<BadInput>& info) { return info.param.name; });

TEST(ExanetRouterOverflow, LosesOnlyWhatDoesNotFit) {
  PinRouter router(full_identity({1, 1, 1}, {4, 4, 4}));
  std::vector<LinkWord> sent;
  for (uint64_t k = 0; k < 30; ++k) {
    for (const LinkWord& word : make_packet(here_header(), 0, k)) {
      sent.push_back(word);
      router.rx(kBadPort, word);
      router.edge();
    }
  }
  std::vector<LinkWord> seen;
  int returned = 0;
  for (int i = 0; i < 300; ++i) {
    if (router.tx_valid(0)) {
      seen.push_back(router.tx(0));
      router.credit(0, {router.tx(0).vc, 1, 0});
    }
    if (router.credit_valid(kBadPort)) returned += router.credit(kBadPort).count;
    router.ready_all();
    router.edge();
  }
  EXPECT_EQ(router.errors(), 1 << kBadPort);
  // The buffer holds 64 words, the register behind it one.
  EXPECT_EQ(returned, 63) << "credits of 21 whole packets";
  sent.resize(65);
  EXPECT_EQ(seen, sent);
}

TEST(ExanetRouterDisabledPort, IgnoresItsInput) {
  rtl::router::Identity identity = full_identity({1, 1, 1}, {4, 4, 4});
  identity.port_enable = 0x7f & ~(1 << kBadPort);
  PinRouter router(identity);
  router.rx(kBadPort, make_packet(here_header(), 0, 1)[0]);
  router.credit(kBadPort, {0, 9, 0});
  router.edge();
  EXPECT_TRUE(router.idle());
  EXPECT_EQ(router.errors(), 0);
}

// A router that goes by its table: no route, a host that the table does not have, a port that is not connected.
TEST(WideRouterTable, DropsWhatHasNoRoute) {
  constexpr int kHosts = 3;
  rtl::router::Identity identity = full_identity({0, 0, 0}, {1, 1, 1});
  identity.port_enable = 0xbfff;  // Port 14 is not connected.
  identity.route_destinations = kHosts;
  for (int input = 0; input < rtl::router::kWideRouterPorts * link::kVcs; ++input) {
    identity.routes.push_back(system::RouteTable::kNoRoute);
    identity.routes.push_back(system::RouteTable::entry(14, 0));
    identity.routes.push_back(system::RouteTable::entry(15, 1));
  }
  for (const uint32_t host : {0u, 1u, 64u, 1023u, 1024u, 0xffffffu}) {
    WidePinRouter router(identity);
    const auto send = [&](uint32_t to) {
      link::PacketHeader header;
      header.destination = to;
      const std::vector<LinkWord> packet = make_packet(header, 0, to);
      std::vector<LinkWord> seen;
      for (int k = 0; k < 20; ++k) {
        if (k < static_cast<int>(packet.size())) router.rx(kBadPort, packet[k]);
        for (int p = 0; p < rtl::router::kWideRouterPorts; ++p) {
          if (router.tx_valid(p)) seen.push_back(router.tx(p));
        }
        router.ready_all();
        router.edge();
      }
      return seen;
    };
    EXPECT_TRUE(send(host).empty()) << host;
    EXPECT_EQ(router.errors(), 1 << kBadPort);
    const std::vector<LinkWord> good = send(2);
    ASSERT_EQ(good.size(), 2u) << host;
    EXPECT_EQ(good[0].vc, 1);
    EXPECT_TRUE(router.idle());
  }
}

}  // namespace
}  // namespace fabrictwin::test

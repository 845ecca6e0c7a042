// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/plain_hosts.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/nic/packet_nic.h"
#include "rapidcheck/gtest.h"
#include "tests/models/router/packet/test_network.h"

namespace fabrictwin {
namespace {

constexpr int32_t kPayload = 256;

/// Sends messages of given lengths to every host, itself included, and writes down what comes.
class Chatter final : public host::HostProcess {
 public:
  Chatter(int32_t node, int32_t hosts, const std::vector<uint64_t>& lengths)
      : host::HostProcess(node), hosts_(hosts), lengths_(lengths), heard_(static_cast<size_t>(hosts)) {}

  /// By source: the numbers of its messages as they came.
  const std::vector<std::vector<uint64_t>>& heard() const { return heard_; }
  bool finished() const override { return received_ == lengths_.size() * heard_.size(); }
  Time finish_time() const override { return now(); }
  std::string waits_for() const override { return "messages"; }

 private:
  void begin() override {
    for (uint64_t number = 0; number < lengths_.size(); ++number) {
      for (int32_t other = 0; other < hosts_; ++other) {
        nic::OutgoingMessage message;
        message.destination = other;
        message.envelope = {0, lengths_[number], {number, 0}};
        send(message);
      }
    }
  }
  void on_message(const nic::IncomingMessage& message) override {
    ++received_;
    heard_[static_cast<size_t>(message.source)].push_back(message.envelope.user[0]);
  }
  void on_sent(uint64_t) override {}
  void decide() override {}

  int32_t hosts_;
  std::vector<uint64_t> lengths_;
  size_t received_ = 0;
  std::vector<std::vector<uint64_t>> heard_;
};

// Short messages overtake long ones on other ways and VCs, but not at the receiver.
RC_GTEST_PROP(PlainHostsTest, MessagesOfAFlowComeInTheOrderInWhichTheyWereSent, (bool ahead)) {
  const system::SystemGraph graph = test_mesh({3, 3}, 40);
  const int32_t hosts = graph.host_count();
  const auto lengths =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<uint64_t>>(rc::gen::element<uint64_t>(0, 8, 300, 3000)));
  std::vector<observe::EndpointDigest> digests(static_cast<size_t>(hosts));
  fabric::PlainHosts client(fabric::ports_of_hosts(graph), kPayload, digests,
                            std::move(fabric::Hosts::Messages::create(1).front()));
  router::packet::Network::Config config;
  config.graph = &graph;
  config.routing = std::make_shared<MeshRouting>(graph.dims, 4, true);
  config.vcs = 4;
  config.pipeline = Time::from_ns(20);
  config.max_packet = nic::PlainPacket::wire_bytes(kPayload);
  config.independent_hosts = true;
  if (ahead) config.large_ports = 0;
  config.client = &client;
  auto network = router::packet::Network::create(config);
  RC_ASSERT(network.ok());
  client.bind_edge(network->get());
  std::vector<const Chatter*> chatters;
  for (int32_t host = 0; host < hosts; ++host) {
    auto chatter = std::make_unique<Chatter>(host, hosts, lengths);
    chatters.push_back(chatter.get());
    client.add_process(std::move(chatter));
  }
  client.start();
  (*network)->run(Time::never().fs());
  RC_ASSERT((*network)->failure().empty());
  RC_ASSERT(client.finished());
  std::vector<uint64_t> all(lengths.size());
  for (uint64_t number = 0; number < all.size(); ++number) all[number] = number;
  for (const Chatter* chatter : chatters) {
    for (const auto& numbers : chatter->heard()) RC_ASSERT(numbers == all);
  }
}

/// Hosts 0 and 1 of four are in another partition.
class HostsApart : public ::testing::Test {
 protected:
  HostsApart() { hosts_.be_apart({false, false, true, true}, false); }
  static fabric::ForeignMessage message(uint32_t sequence) {
    fabric::ForeignMessage message;
    message.envelope.bytes = 1000;
    message.sequence = sequence;
    return message;
  }
  /// The packet, with the number that its message has here; nothing if it comes back and has not left.
  std::optional<nic::NicPacket> enter(int32_t source, int32_t destination, uint32_t sequence) {
    nic::NicPacket packet{.source = source, .destination = destination, .payload_bytes = kPayload};
    if (!hosts_.enter(packet, message(sequence))) return std::nullopt;
    return packet;
  }

  const std::vector<int32_t> ports_ = {1, 1, 1, 1};
  std::vector<observe::EndpointDigest> digests_{4};
  fabric::PlainHosts hosts_{ports_, kPayload, digests_, std::move(fabric::Hosts::Messages::create(1).front())};
};

TEST_F(HostsApart, TellMessagesApart) {
  const uint32_t first = enter(0, 2, 0)->message;
  EXPECT_EQ(enter(0, 2, 0)->message, first) << "another packet of it";
  EXPECT_NE(enter(0, 3, 0)->message, first);
  EXPECT_NE(enter(0, 2, 1)->message, first);
  EXPECT_NE(enter(1, 2, 0)->message, first);
}

TEST_F(HostsApart, PacketsOfOtherPortsAndKindsAreNotKnown) {
  const nic::NicPacket packet{.source = 0, .destination = 2};
  EXPECT_TRUE(hosts_.knows(packet));
  nic::NicPacket other = packet;
  other.source_port = 1;
  EXPECT_FALSE(hosts_.knows(other));
  other = packet;
  other.destination_port = 1;
  EXPECT_FALSE(hosts_.knows(other));
  other = packet;
  other.kind = nic::NicPacket::Kind::kAck;
  EXPECT_FALSE(hosts_.knows(other)) << "plain network interfaces do not acknowledge";
}

TEST_F(HostsApart, NothingComesBackThatHasNotLeft) { EXPECT_FALSE(enter(2, 3, 0).has_value()); }

TEST_F(HostsApart, PacketsThatPassKeepWhatTheyTell) {
  nic::NicPacket first = enter(0, 1, 7).value();
  nic::NicPacket second = enter(1, 0, 8).value();
  ASSERT_NE(first.message, second.message);
  EXPECT_EQ(hosts_.leave(second).sequence, 8u);
  const fabric::ForeignMessage left = hosts_.leave(first);
  EXPECT_EQ(left.sequence, 7u);
  EXPECT_EQ(left.envelope.bytes, 1000u);
  EXPECT_TRUE(left.ordered);
}

}  // namespace
}  // namespace fabrictwin

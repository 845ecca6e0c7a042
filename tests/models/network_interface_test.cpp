// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network_interface.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "docs/examples/tlm-host/packet_host.h"
#include "models/model_system.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A message that a host gives at time zero.
struct Given {
  int32_t source = 0;
  int32_t destination = 0;
  uint64_t bytes = 0;
  uint8_t port = OutgoingMessage::kAnyPort;
};
struct Arrived {
  int32_t source = 0;
  int32_t destination = 0;
  uint64_t number = 0;  ///< In the list of what was given.
  uint64_t bytes = 0;
  bool intact = false;
  Time time;
};

/// Hosts give what a list says, in its order, and write down what comes.
class Listed : public Workload {
 public:
  Listed(std::vector<Given> given, std::vector<Arrived>* arrived) : given_(std::move(given)), arrived_(*arrived) {}
  absl::StatusOr<std::unique_ptr<Endpoint>> make_endpoint(int32_t node, EndpointDigest*) override {
    return std::make_unique<Host>(*this, node);
  }
  void report(v1::Report&) const override {}
  double done() const override { return 0; }

 private:
  class Host : public Endpoint {
   public:
    Host(Listed& list, int32_t node) : Endpoint(("host_" + std::to_string(node)).c_str(), node), list_(list) {}
    bool finished() const override { return false; }
    Time finish_time() const override { return {}; }
    std::string waits_for() const override { return {}; }

   private:
    void begin() override {
      for (size_t i = 0; i < list_.given_.size(); ++i) {
        const Given& given = list_.given_[i];
        if (given.source != node()) continue;
        OutgoingMessage message;
        message.destination = given.destination;
        message.envelope.payload_key = payload_key(1, 2, i);
        message.envelope.bytes = given.bytes;
        message.envelope.user[0] = i;
        message.cookie = i + 1;
        message.port = given.port;
        send(message);
      }
    }
    void on_message(const IncomingMessage& message) override {
      list_.arrived_.push_back(
          {message.source, node(), message.envelope.user[0], message.envelope.bytes, message.intact, now()});
    }
    void on_sent(uint64_t) override {}
    void decide() override {}

    Listed& list_;
  };

  std::vector<Given> given_;
  std::vector<Arrived>& arrived_;
};

/// A unit of TofuD, 12 hosts, whose run is over: everything that hosts gave has arrived.
class Machine {
 public:
  Machine(int32_t tnis, std::vector<Given> given) {
    const auto experiment = parse_experiment("topology { tofu { x: 1 y: 1 z: 1 tnis: " + std::to_string(tnis) +
                                                 " } }\nworkload { traffic { load: 0.1 } }\nseed: 4\n",
                                             "machine.textproto");
    EXPECT_TRUE(experiment.ok()) << experiment.status();
    // A process has one at a time.
    auto system = ModelSystem::create(
        *experiment, nullptr, [&](const Experiment&, const SystemGraph&) -> absl::StatusOr<std::unique_ptr<Workload>> {
          return std::make_unique<Listed>(std::move(given), &arrived);
        });
    EXPECT_TRUE(system.ok()) << system.status();
    if (!system.ok()) return;
    while (!(*system)->next_event().is_never()) {
      const absl::Status status = (*system)->run((*system)->next_event() + Time::from_us(1));
      EXPECT_TRUE(status.ok()) << status;
      if (!status.ok()) return;
    }
    const SystemGraph& graph = (*system)->graph();
    for (int32_t host = 0; host < graph.host_count(); ++host) {
      for (int32_t port = 0; port < tnis; ++port) {
        const int32_t channel = graph.channel_from(host, port);
        packets_[host].push_back((*system)->counters(channel).packets.get());
        taken_[host].push_back((*system)->counters(channel ^ 1).packets.get());
      }
    }
  }

  /// Packets from a host into each of its ports.
  const std::vector<uint64_t>& packets(int32_t host) const { return packets_.at(host); }
  /// The same out of the network.
  const std::vector<uint64_t>& taken(int32_t host) const { return taken_.at(host); }

  std::vector<Arrived> arrived;

 private:
  std::map<int32_t, std::vector<uint64_t>> packets_, taken_;
};

// An empty message is one packet.
TEST(NetworkInterface, MessagesTakeTurnsByPort) {
  const Machine machine(4, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}});
  EXPECT_THAT(machine.packets(0), ElementsAre(2, 1, 1, 1));
  EXPECT_EQ(machine.arrived.size(), 5u);
}

TEST(NetworkInterface, AMessageMayNameItsPortAndComesOutThere) {
  const Machine machine(4, {{0, 1, 0, 2}, {0, 1, 0, 7}, {0, 1}, {0, 1}});
  EXPECT_THAT(machine.packets(0), ElementsAre(1, 1, 1, 1)) << "port 7 of four is 3; who names one takes no turn";
  EXPECT_THAT(machine.taken(1), ElementsAre(1, 1, 1, 1));
  const Machine one(4, {{0, 1, 5000, 3}});
  EXPECT_THAT(one.packets(0), ElementsAre(0, 0, 0, 20));
  EXPECT_THAT(one.taken(1), ElementsAre(0, 0, 0, 20));
}

// The pair A joins 0 and 1, the ring B has 2 and the pair C has 6 beside 0: nothing is shared but the host.
TEST(NetworkInterface, PortsSendAndTakeAtTheSameTime) {
  const uint64_t bytes = 10'000;
  const Time alone = Machine(6, {{0, 1, bytes}}).arrived.at(0).time;
  const Machine sent(6, {{0, 1, bytes}, {0, 2, bytes}, {0, 6, bytes}});
  ASSERT_EQ(sent.arrived.size(), 3u);
  for (const Arrived& message : sent.arrived) EXPECT_EQ(message.time, alone) << message.destination;
  // With one port they follow each other.
  const Machine queued(1, {{0, 1, bytes}, {0, 2, bytes}, {0, 6, bytes}});
  EXPECT_EQ(queued.arrived.at(0).time, alone);
  EXPECT_GT(queued.arrived.at(2).time, queued.arrived.at(1).time + (alone - Time::from_us(1)));
  const Machine taken(6, {{1, 0, bytes, 0}, {2, 0, bytes, 1}, {6, 0, bytes, 2}});
  ASSERT_EQ(taken.arrived.size(), 3u);
  for (const Arrived& message : taken.arrived) EXPECT_EQ(message.time, alone) << message.source;
}

// The short one arrives long before the end of the long one, and waits for it.
TEST(NetworkInterface, MessagesOfAFlowAreDeliveredInOrder) {
  const Machine machine(2, {{0, 1, 20'000}, {0, 1, 8}, {0, 1, 0}});
  ASSERT_EQ(machine.arrived.size(), 3u);
  for (uint64_t i = 0; i < 3; ++i) EXPECT_EQ(machine.arrived[i].number, i);
  EXPECT_EQ(machine.arrived[0].time, machine.arrived[1].time);
  EXPECT_LT(Machine(2, {{0, 1, 8}}).arrived.at(0).time + Time::from_us(1), machine.arrived[1].time);
}

RC_GTEST_PROP(NetworkInterface, EverythingComesOnceWholeAndInOrder, ()) {
  const auto tnis = *rc::gen::inRange(1, 7);
  std::vector<Given> given(*rc::gen::inRange<size_t>(1, 40));
  for (Given& one : given) {
    one.source = *rc::gen::inRange(0, 12);
    one.destination = (one.source + *rc::gen::inRange(1, 3)) % 12;
    one.bytes = *rc::gen::element<uint64_t>(0, 1, 223, 224, 225, 256, 3000);
    one.port = *rc::gen::element<uint8_t>(0, 1, 5, 9, OutgoingMessage::kAnyPort);
  }
  const Machine machine(tnis, given);
  RC_ASSERT(machine.arrived.size() == given.size());
  std::map<std::pair<int32_t, int32_t>, uint64_t> last;
  for (const Arrived& message : machine.arrived) {
    const Given& sent = given.at(message.number);
    RC_ASSERT(message.source == sent.source && message.destination == sent.destination && message.bytes == sent.bytes);
    RC_ASSERT(message.intact);
    uint64_t& next = last[{message.source, message.destination}];
    RC_ASSERT(message.number + 1 > next);
    next = message.number + 1;
  }
}

TEST(NetworkInterface, AnInterfaceOfOnesOwnHasAsManyPortsAsItsHost) {
  const auto experiment =
      parse_experiment("topology { tofu { tnis: 2 } }\nworkload { traffic { load: 0.1 } }", "own.textproto");
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  const auto system = ModelSystem::create(*experiment, [](const HostSite& site) {
    return std::make_unique<PacketHost>(("own_" + std::to_string(site.host->node)).c_str(), site,
                                        PacketHost::Program{});
  });
  EXPECT_THAT(std::string(system.status().message()),
              HasSubstr("host[0] has 2 ports and the network interface that was made for it has 1"));
}

}  // namespace
}  // namespace fabrictwin

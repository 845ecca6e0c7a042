// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/plain/network_interface.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/random.h"
#include "docs/examples/tlm-host/packet_host.h"
#include "models/kernel/systemc_context.h"
#include "models/partition/model_system.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A message that a host gives at time zero.
struct Given {
  int32_t source = 0;
  int32_t destination = 0;
  uint64_t bytes = 0;
  uint8_t port = nic::OutgoingMessage::kAnyPort;
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
class Listed : public host::Workload {
 public:
  Listed(std::vector<Given> given, std::vector<Arrived>* arrived) : given_(std::move(given)), arrived_(*arrived) {}
  absl::StatusOr<std::unique_ptr<host::Endpoint>> make_endpoint(int32_t node, observe::EndpointDigest*) override {
    return std::make_unique<Host>(*this, node);
  }
  void report(v1::Report&) const override {}
  double done() const override { return 0; }

 private:
  class Host : public host::Endpoint {
   public:
    Host(Listed& list, int32_t node) : host::Endpoint(("host_" + std::to_string(node)).c_str(), node), list_(list) {}
    bool finished() const override { return false; }
    Time finish_time() const override { return {}; }
    std::string waits_for() const override { return {}; }

   private:
    void begin() override {
      for (size_t i = 0; i < list_.given_.size(); ++i) {
        const Given& given = list_.given_[i];
        if (given.source != node()) continue;
        nic::OutgoingMessage message;
        message.destination = given.destination;
        message.envelope.payload_key = nic::payload_key(1, 2, i);
        message.envelope.bytes = given.bytes;
        message.envelope.user[0] = i;
        message.cookie = i + 1;
        message.port = given.port;
        send(message);
      }
    }
    void on_message(const nic::IncomingMessage& message) override {
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
    const auto experiment = test::parse_experiment("topology { tofu { x: 1 y: 1 z: 1 tnis: " + std::to_string(tnis) +
                                                       " } }\nworkload { traffic { load: 0.1 } }\nseed: 4\n",
                                                   "machine.textproto");
    EXPECT_TRUE(experiment.ok()) << experiment.status();
    // A process has one at a time.
    auto system = partition::ModelSystem::create(
        *experiment, nullptr,
        [&](const experiment::Experiment&,
            const system::SystemGraph&) -> absl::StatusOr<std::unique_ptr<host::Workload>> {
          return std::make_unique<Listed>(std::move(given), &arrived);
        });
    EXPECT_TRUE(system.ok()) << system.status();
    if (!system.ok()) return;
    while (!(*system)->next_event().is_never()) {
      const absl::Status status = (*system)->run((*system)->next_event() + Time::from_us(1));
      EXPECT_TRUE(status.ok()) << status;
      if (!status.ok()) return;
    }
    const system::SystemGraph& graph = (*system)->graph();
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
  /// Packets to a host through each of its ports.
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

/// What stands for the network: gives a network interface packets of empty messages, one after the other at one port.
class Feeder : public sc_core::sc_module {
 public:
  Feeder(const sc_core::sc_module_name& name, nic::plain::NetworkInterface& nic)
      : sc_module(name), out("out", nic.ports()), in("in", nic.ports()) {
    for (int32_t port = 0; port < nic.ports(); ++port) {
      in[port].register_b_transport(this, &Feeder::take, static_cast<int>(port));
      out[port].bind(nic.link_in(port));
      nic.link_out(port).bind(in[port]);
    }
  }

  void give(uint32_t source, uint32_t sequence) {
    link::PacketHeader header;
    header.source = source;
    header.sequence = sequence;
    header.payload_bytes = sizeof(nic::Envelope);
    nic::Envelope envelope;
    envelope.user[0] = sequence;
    std::array<link::Word, 4> words{};
    words[0] = header.encode();
    std::memcpy(reinterpret_cast<std::byte*>(&words[1]), &envelope, sizeof envelope);
    words[3] = {observe::hash_bytes(std::as_bytes(std::span(&words[1], 2))), 0};
    sc_core::sc_time delay;
    out[0]->b_transport(transaction_.burst(words.data(), 4, slot_, 0, link::kStartOfPacket | link::kEndOfPacket),
                        delay);
    slot_ += 4;
  }

  sc_core::sc_vector<tlm_utils::simple_initiator_socket_tagged<Feeder>> out;
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<Feeder>> in;

 private:
  void take(int, tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  kernel::LinkTransaction transaction_;
  int64_t slot_ = 0;
};

/// Writes down the numbers of messages that come.
class Receiver : public host::Endpoint {
 public:
  Receiver() : host::Endpoint("receiver", 0) {}
  bool finished() const override { return false; }
  Time finish_time() const override { return {}; }
  std::string waits_for() const override { return {}; }

  std::vector<uint64_t> numbers;

 private:
  void begin() override {}
  void on_message(const nic::IncomingMessage& message) override { numbers.push_back(message.envelope.user[0]); }
  void on_sent(uint64_t) override {}
  void decide() override {}
};

struct Order {
  std::vector<uint64_t> numbers;  ///< As they were delivered.
  std::string failure;
};

/// Messages of host 1, which come to host 0 in the order of `sequences`.
Order order_of(size_t ports_of_sender, size_t ports_of_receiver, const std::vector<uint32_t>& sequences,
               uint32_t source = 1) {
  Order order;
  system::SystemGraph graph;
  graph.elements = {{"host[0]", system::ElementKind::kHost, 0, {}, std::vector<std::string>(ports_of_receiver, "nic")},
                    {"host[1]", system::ElementKind::kHost, 1, {}, std::vector<std::string>(ports_of_sender, "nic")}};
  const auto context = kernel::SystemcContext::create();
  EXPECT_TRUE(context.ok());
  observe::EndpointDigest digest;
  std::vector<link::LinkCounters> counters(ports_of_receiver);
  nic::plain::NetworkInterface::Config config;
  config.graph = &graph;
  for (link::LinkCounters& own : counters) {
    system::Link link;
    link.rate = Bandwidth{16'000'000'000};
    link.latency = Time::from_ns(10);
    config.ports.push_back({link, &own, 0});
  }
  config.digest = &digest;
  config.failure = &order.failure;
  nic::plain::NetworkInterface nic("nic", config);
  Feeder feeder("feeder", nic);
  Receiver receiver;
  receiver.nic.bind(nic.host_port());
  nic.bind_endpoint(&receiver);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (const uint32_t sequence : sequences) feeder.give(source, sequence);
  sc_core::sc_start(kernel::to_sc_time(Time::from_us(10)));
  order.numbers = receiver.numbers;
  return order;
}

// Whether messages may overtake each other is a matter of the ports of their sender, not of those here.
TEST(NetworkInterface, OnlyASenderWithSeveralPortsMayBreakTheOrder) {
  for (const size_t here : {1, 3}) {
    EXPECT_THAT(order_of(1, here, {0, 1, 2}).numbers, ElementsAre(0, 1, 2));
    const Order broken = order_of(1, here, {1, 0, 2});
    EXPECT_THAT(broken.failure, HasSubstr("message 1 from 1 arrived where message 0 was expected")) << here << " ports";
    const Order held = order_of(2, here, {1, 0, 2});
    EXPECT_EQ(held.failure, "") << here << " ports";
    EXPECT_THAT(held.numbers, ElementsAre(0, 1, 2)) << here << " ports";
    EXPECT_THAT(order_of(2, here, {0, 1, 0}).failure, HasSubstr("message 0 from 1 arrived where message 2"));
  }
}

TEST(NetworkInterface, RefusesAPacketFromNobody) {
  EXPECT_THAT(order_of(1, 1, {0}, 7).failure, HasSubstr("a packet from host 7 arrived, and there are 2 hosts"));
}

RC_GTEST_PROP(NetworkInterface, EverythingComesOnceWholeAndInOrder, ()) {
  const auto tnis = *rc::gen::inRange(1, 7);
  std::vector<Given> given(*rc::gen::inRange<size_t>(1, 40));
  for (Given& one : given) {
    one.source = *rc::gen::inRange(0, 12);
    one.destination = (one.source + *rc::gen::inRange(1, 3)) % 12;
    one.bytes = *rc::gen::element<uint64_t>(0, 1, 223, 224, 225, 256, 3000);
    one.port = *rc::gen::element<uint8_t>(0, 1, 5, 9, nic::OutgoingMessage::kAnyPort);
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
      test::parse_experiment("topology { tofu { tnis: 2 } }\nworkload { traffic { load: 0.1 } }", "own.textproto");
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  const auto system = partition::ModelSystem::create(*experiment, [](const host::HostSite& site) {
    return std::make_unique<PacketHost>(("own_" + std::to_string(site.host->node)).c_str(), site,
                                        PacketHost::Program{});
  });
  EXPECT_THAT(std::string(system.status().message()),
              HasSubstr("host[0] has 2 ports and the network interface that was made for it has 1"));
}

}  // namespace
}  // namespace fabrictwin

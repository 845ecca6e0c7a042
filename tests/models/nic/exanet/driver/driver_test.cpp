// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/driver/driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>

#include "models/kernel/systemc_context.h"
#include "rapidcheck/gtest.h"
#include "tests/models/nic/exanet/driver/fake_ni.h"
#include "tests/models/nic/exanet/message_endpoint.h"

namespace fabrictwin::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Planned = MessageEndpoint::Planned;

/// Drivers on network interfaces that are not there.
class Hosts {
 public:
  Hosts(const std::vector<std::vector<Planned>>& plans, FakeNiNetwork::Options options, int32_t retries = 10'000,
        int32_t windows = 32)
      : plans_(plans), digests_(plans.size()) {
    systemc_ = *kernel::SystemcContext::create();
    for (size_t i = 0; i < plans.size(); ++i) nodes_.push_back(static_cast<nic::exanet::Node>(0x100 + 3 * i));
    network_ = std::make_unique<FakeNiNetwork>(nodes_, options);
    for (size_t i = 0; i < plans.size(); ++i) {
      nic::exanet::driver::Driver::Config config;
      config.node = static_cast<int32_t>(i);
      config.nodes = &nodes_;
      config.retries = retries;
      config.receive_windows = windows;
      config.digest = &digests_[i];
      config.failure = &failure_;
      drivers_.push_back(
          std::make_unique<nic::exanet::driver::Driver>(("driver_" + std::to_string(i)).c_str(), config));
      endpoints_.push_back(std::make_unique<MessageEndpoint>(static_cast<int32_t>(i), plans[i]));
      endpoints_[i]->nic.bind(drivers_[i]->host);
      drivers_[i]->bind_endpoint(endpoints_[i].get());
      drivers_[i]->bind_ni(network_->port(nodes_[i]));
      network_->bind(nodes_[i], drivers_[i].get());
    }
  }
  ~Hosts() {
    endpoints_.clear();
    drivers_.clear();
    network_.reset();
  }

  void run(Time time = Time::from_us(1'000'000)) { sc_core::sc_start(kernel::to_sc_time(time)); }
  MessageEndpoint& endpoint(size_t i) { return *endpoints_[i]; }
  nic::exanet::driver::Driver& driver(size_t i) { return *drivers_[i]; }
  FakeNiNetwork& network() { return *network_; }
  const std::string& failure() const { return failure_; }
  std::string timing() const { return observe::combine_timing(digests_); }

  /// Says what is not as it should be: each message exactly once, in order, with every byte, and reported as sent.
  std::string check() {
    if (!failure_.empty()) return failure_;
    if (!network_->misuse.empty()) return network_->misuse;
    for (size_t to = 0; to < plans_.size(); ++to) {
      std::map<int32_t, std::vector<uint64_t>> expected;
      for (size_t from = 0; from < plans_.size(); ++from) {
        for (const Planned& planned : plans_[from]) {
          if (static_cast<size_t>(planned.destination) == to)
            expected[static_cast<int32_t>(from)].push_back(planned.bytes);
        }
      }
      std::map<int32_t, std::vector<uint64_t>> arrived;
      for (const MessageEndpoint::Arrival& arrival : endpoints_[to]->arrivals) {
        if (!arrival.intact) return "a wrong byte";
        if (arrival.order != arrived[arrival.source].size()) return "out of order";
        arrived[arrival.source].push_back(arrival.bytes);
      }
      if (arrived != expected) return "messages missing or too many at " + std::to_string(to);
      std::vector<uint64_t> sent;
      for (const auto& [cookie, time] : endpoints_[to]->sent) {
        if (time <= plans_[to][cookie].time) return "sent before it was given";
        sent.push_back(cookie);
      }
      std::sort(sent.begin(), sent.end());
      for (size_t i = 0; i < sent.size(); ++i) {
        if (sent[i] != i) return "on_sent() missing or doubled";
      }
      if (sent.size() != plans_[to].size()) return "on_sent() missing at " + std::to_string(to);
    }
    return {};
  }

 private:
  std::vector<std::vector<Planned>> plans_;
  std::unique_ptr<kernel::SystemcContext> systemc_;
  std::vector<nic::exanet::Node> nodes_;
  std::vector<observe::EndpointDigest> digests_;
  std::string failure_;
  std::unique_ptr<FakeNiNetwork> network_;
  std::vector<std::unique_ptr<nic::exanet::driver::Driver>> drivers_;
  std::vector<std::unique_ptr<MessageEndpoint>> endpoints_;
};

constexpr uint64_t kDriverSizes[] = {0, 1, 8, 31, 32, 33, 40, 64, 255, 256, 257, 1000, 4096, 5003};

RC_GTEST_PROP(ExanetDriver, DeliversEveryMessageOnceInOrderWithEveryByte, ()) {
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  const auto hosts = *rc::gen::inRange<size_t>(1, 6);
  FakeNiNetwork::Options options;
  options.seed = seed;
  options.ring = *rc::gen::inRange(1, 17);
  options.take_ns = *rc::gen::element(1, 100, 5000);
  options.transfer_ns = *rc::gen::element(10, 3000, 50000);
  Hosts run(random_plans(seed, hosts, 60, kDriverSizes, 1500), options, 10'000, *rc::gen::inRange(1, 65));
  run.run();
  RC_ASSERT(run.check() == std::string());
}

TEST(ExanetDriver, AnOvertakenTransferWaitsForItsTurn) {
  FakeNiNetwork::Options options;
  options.transfer_ns = 50'000;
  Hosts hosts({{{{}, 1, 20000}, {{}, 1, 4}, {{}, 1, 64}, {{}, 1, 0}}, {}}, options);
  hosts.run();
  EXPECT_THAT(hosts.check(), IsEmpty());
  EXPECT_GT(hosts.network().overtaken, 0);
  // The short ones were there long before.
  const auto& arrivals = hosts.endpoint(1).arrivals;
  ASSERT_EQ(arrivals.size(), 4u);
  EXPECT_EQ(arrivals[0].time, arrivals[1].time);
  EXPECT_EQ(hosts.driver(1).packets_received(), (2 + 79) + 1 + (2 + 1) + 1u);
  EXPECT_EQ(hosts.driver(1).payload_received(), 4 * 32 + 20000 + 4 + 64u);
}

TEST(ExanetDriver, ABurstToOneHostFillsItsRingAndArrives) {
  std::vector<std::vector<Planned>> plans(20);
  for (size_t i = 1; i < plans.size(); ++i) {
    for (int k = 0; k < 30; ++k) plans[i].push_back({{}, 0, k % 5 == 0 ? 100u : 8u});
  }
  FakeNiNetwork::Options options;
  options.ring = 4;
  options.take_ns = 1000;
  Hosts hosts(plans, options);
  hosts.run();
  EXPECT_THAT(hosts.check(), IsEmpty());
  EXPECT_GT(hosts.network().refused, 50);
  uint64_t retried = 0;
  for (size_t i = 0; i < plans.size(); ++i) retried += hosts.driver(i).retried();
  EXPECT_EQ(retried, static_cast<uint64_t>(hosts.network().refused));
}

TEST(ExanetDriver, ThousandsOfMessagesUseAllChannelsOfTheRdmaUnitButNoMore) {
  std::vector<std::vector<Planned>> plans(40);
  for (int k = 0; k < 3000; ++k) plans[0].push_back({{}, 1 + k % 39, 33u + static_cast<uint64_t>(k % 300)});
  Hosts hosts(plans, {.transfer_ns = 40'000});
  hosts.run();
  EXPECT_THAT(hosts.check(), IsEmpty());
  EXPECT_EQ(hosts.network().most_transfers, nic::exanet::driver::kRdmaChannels);
}

TEST(ExanetDriver, BothAskToSendAtOnce) {
  Hosts hosts({{{{}, 1, 5000}, {{}, 1, 5000}}, {{{}, 0, 5000}, {{}, 0, 5000}}}, {}, 10'000, 1);
  hosts.run();
  EXPECT_THAT(hosts.check(), IsEmpty());
}

// Messages to a node keep their order, so one is under way; clears to it do not wait for its answer.
TEST(ExanetDriver, AClearGoesBesideARequest) {
  {
    Hosts both({{{{}, 1, 5000}}, {{{}, 0, 5000}}}, {.take_ns = 1});
    both.run();
    EXPECT_THAT(both.check(), IsEmpty());
    EXPECT_EQ(both.network().most_messages, 2);
  }
  Hosts one({{{{}, 1, 5000}, {{}, 1, 8}, {{}, 1, 5000}}, {}}, {.take_ns = 1});
  one.run();
  EXPECT_THAT(one.check(), IsEmpty());
  EXPECT_EQ(one.network().most_messages, 1);
}

TEST(ExanetDriver, AHostSendsToItselfThroughItsNetworkInterface) {
  Hosts hosts({{{{}, 0, 0}, {{}, 0, 32}, {{}, 0, 33}, {{}, 0, 70000}}}, {});
  hosts.run();
  EXPECT_THAT(hosts.check(), IsEmpty());
}

TEST(ExanetDriver, TheSameRunGivesTheSameDigestAndAnotherBodyAnother) {
  const auto digest = [](uint64_t bytes) {
    Hosts hosts({{{{}, 1, bytes}, {{}, 1, 3}}, {}}, {});
    hosts.run();
    EXPECT_THAT(hosts.check(), IsEmpty());
    return hosts.timing();
  };
  EXPECT_EQ(digest(700), digest(700));
  EXPECT_NE(digest(700), digest(701));
}

TEST(ExanetDriver, SaysWhoRefusesForEver) {
  FakeNiNetwork::Options options;
  options.ring = 0;
  Hosts hosts({{{{}, 1, 5}}, {}}, options, 5);
  hosts.run();
  EXPECT_THAT(hosts.failure(), HasSubstr("mpsoc[0] at "));
  EXPECT_THAT(hosts.failure(), HasSubstr("mpsoc[1] refused a message 6 times"));
}

TEST(ExanetDriver, SaysWhatIsTooLongOrHasNoDestination) {
  {
    Hosts hosts({{{{}, 1, uint64_t{1} << 32}}, {}}, {});
    hosts.run();
    EXPECT_THAT(hosts.failure(), HasSubstr("a message to mpsoc[1] has 4294967296 bytes"));
  }
  Hosts hosts({{{{}, 2, 1}}, {}}, {});
  hosts.run();
  EXPECT_THAT(hosts.failure(), HasSubstr("mpsoc[2], which does not exist"));
}

class ExanetDriverMisuse : public ::testing::Test {
 protected:
  Hosts hosts_{{{}, {}}, {}};
  nic::exanet::driver::Driver& driver() { return hosts_.driver(0); }
  void write(uint64_t address, uint64_t strobes) {
    driver().write_memory(address, std::array<std::byte, 16>{}, {strobes});
  }
};

TEST_F(ExanetDriverMisuse, MemoryThatNobodyGave) {
  write(nic::exanet::driver::receive_window(3), 1);
  EXPECT_THAT(hosts_.failure(), HasSubstr("writes to address 0x300000000, where nothing is expected"));
}
TEST_F(ExanetDriverMisuse, ReadOfMemoryThatNobodyGave) {
  std::array<std::byte, 16> bytes;
  driver().read_memory(nic::exanet::driver::send_window(0), bytes);
  EXPECT_THAT(hosts_.failure(), IsEmpty()) << "what a repeated block may do after its transfer";
  driver().read_memory(nic::exanet::driver::receive_window(0), bytes);
  EXPECT_THAT(hosts_.failure(), HasSubstr("reads address 0x0"));
}
TEST_F(ExanetDriverMisuse, PartOfANotification) {
  write(nic::exanet::driver::send_notification(0), 0x0f);
  EXPECT_THAT(hosts_.failure(), HasSubstr("part of a notification"));
}
TEST_F(ExanetDriverMisuse, NotificationOfNothing) {
  write(nic::exanet::driver::send_notification(4), 0xff00);
  EXPECT_THAT(hosts_.failure(), HasSubstr("RDMA channel 5 ended transfer 0"));
}
TEST_F(ExanetDriverMisuse, AnswerToNothing) {
  driver().message_done(0, nic::exanet::MessageState::kAcked);
  EXPECT_THAT(hosts_.failure(), HasSubstr("channel 0 of the packetizer was answered"));
}
TEST_F(ExanetDriverMisuse, MessageThatDoesNotFitItsEnvelope) {
  nic::exanet::Message message{0x103, 0, 0, 1, 40, {}};
  driver().message_arrived(message);
  EXPECT_THAT(hosts_.failure(), HasSubstr("a message from mpsoc[1] has 40 bytes"));
}
TEST_F(ExanetDriverMisuse, ClearOfNothing) {
  nic::exanet::Message message{0x103, 1, 0, 1, 24, {}};
  driver().message_arrived(message);
  EXPECT_THAT(hosts_.failure(), HasSubstr("mpsoc[1] clears message 0"));
}
TEST_F(ExanetDriverMisuse, StrangerAndOtherFailures) {
  nic::exanet::Message message{0x777, 1, 0, 1, 24, {}};
  driver().message_arrived(message);
  EXPECT_THAT(hosts_.failure(), HasSubstr("0x777"));
}
TEST_F(ExanetDriverMisuse, NotificationBeforeTheBody) {
  nic::exanet::Message request{0x103, 0, 0, 1, 40, {}};
  const nic::Envelope envelope{1, 100, {0, 0}};
  std::memcpy(request.payload.data(), &envelope, sizeof envelope);
  driver().message_arrived(request);
  hosts_.run(Time::from_ns(1));
  write(nic::exanet::driver::receive_window(0), 0xff);
  write(nic::exanet::driver::receive_notification(0), 0xff);
  EXPECT_THAT(hosts_.failure(), HasSubstr("the notification of a message from mpsoc[1] came after 8 of 100 bytes"));
}

}  // namespace
}  // namespace fabrictwin::test

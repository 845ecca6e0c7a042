// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The processor's side of a host port against a scripted logic behind a cut link.
#include <gmock/gmock.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/models/nic/exanet/driver/register_ni_logic.h"

namespace fabrictwin::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(RegisterNiTest, ConfiguresBeforeAnythingElse) {
  const std::array<std::byte, 1> payload{std::byte{7}};
  ni_->send_message(0, 1, 0, payload);
  run(Time::from_us(1));
  ASSERT_GE(accesses.size(), 8u);
  accesses.resize(8);
  EXPECT_THAT(accesses, ElementsAre(kInterface0, kInterface1, kMailbox0, kMailbox1, kPage0, "0:0 = 0 7",
                                    "0:40 = 0 40000000000", "0:48 = 0 1"));
}

class RegisterNiOfCongestion : public RegisterNiTest {
 protected:
  RegisterNiOfCongestion() : RegisterNiTest(config()) {}
  static nic::exanet::driver::RegisterNi::Config config() {
    nic::exanet::driver::RegisterNi::Config config;
    config.congestion = {.enabled = true, .increase = 2, .limit = 9, .least = 1, .timer = 7, .shift = 3};
    for (size_t i = 0; i < 16; ++i) config.congestion.table[i] = static_cast<uint16_t>(i + 1);
    config.marking = {.threshold_words = 40, .marking_rate = 5, .least_words = 18, .hosts = true};
    return config;
  }
};

TEST_F(RegisterNiOfCongestion, ItsRegistersAreWrittenBeforeAnythingElse) {
  run(Time::from_us(2));
  EXPECT_THAT(accesses, ElementsAre("2:30 = 0 112", "2:2c = 0 50028", kInterface0, kInterface1, kMailbox0, kMailbox1,
                                    kPage0, "1:10800 = 8000700060005 4000300020001",
                                    "1:10810 = 10000f000e000d c000b000a0009", "1:10300 = 0 7e04482"));
  EXPECT_THAT(failures, IsEmpty());
}

TEST_F(RegisterNiOfCongestion, LogicThatRefusesItsRegistersEndsTheRun) {
  response_of = [](const link::HostMessage& message) { return message.address == 0x10800 ? 2u : 0u; };
  run(Time::from_us(2));
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0], "RDMA register 0x10800 was answered with SLVERR");
}

TEST_F(RegisterNiTest, SendsAMessageAndLooksWhatBecameOfIt) {
  run(Time::from_us(1));
  accesses.clear();
  std::array<std::byte, 12> payload{};
  for (size_t i = 0; i < payload.size(); ++i) payload[i] = static_cast<std::byte>(i + 1);
  // Acked 2 us after it was sent.
  value_of = [](const link::HostMessage&, Time time) { return link::Word{time < Time::from_us(3) ? 1u : 2u, 0}; };
  ni_->send_message(5, 0x2a, 1, payload);
  run(Time::from_us(5));
  ASSERT_GT(accesses.size(), 5u);
  const std::vector<std::string> first(accesses.begin(), accesses.begin() + 4);
  EXPECT_THAT(first, ElementsAre("0:1080 = 0 807060504030201", "0:1088 = 0 c0b0a09", "0:10c0 = 0 a80000001000",
                                 "0:10c8 = 0 c"));
  ASSERT_EQ(done.size(), 1u);
  EXPECT_THAT(done[0], HasSubstr("5 2 at 3."));
  EXPECT_LT(accesses.size(), 16u) << "pauses between looks grow";
  // The destination stays.
  accesses.clear();
  ni_->send_message(5, 0x2a, 1, std::span(payload).first(0));
  run(Time::from_us(1));
  EXPECT_THAT(accesses, ElementsAre("0:10c8 = 0 0", "0:10c8?"));
  EXPECT_EQ(done.size(), 2u);
  EXPECT_THAT(failures, IsEmpty());
}

TEST_F(RegisterNiTest, SaysWhichWayAMessageEnded) {
  for (const uint64_t state : {3, 4}) {
    value_of = [&](const link::HostMessage&, Time) { return link::Word{state, 0}; };
    ni_->send_message(0, 1, 0, {});
    run(Time::from_us(2));
  }
  ASSERT_EQ(done.size(), 2u);
  EXPECT_THAT(done[0], HasSubstr("0 3 at"));
  EXPECT_THAT(done[1], HasSubstr("0 4 at"));
}

TEST_F(RegisterNiTest, TakesMessagesInTheOrderOfTheRing) {
  run(Time::from_us(1));
  accesses.clear();
  // Three messages of 64, 0 and 33 bytes.
  value_of = [](const link::HostMessage& read, Time) {
    const uint64_t slot = read.address >> 7 & 0xf, word = (read.address & 0x7f) / 8;
    const uint64_t bytes[] = {64, 0, 33};
    if (word == 8) return link::Word{bytes[slot] << 57 | uint64_t{0x2a} << 32 | uint64_t{9} << 24 | (100 + slot), 0};
    return link::Word{word * 8 < bytes[slot] ? slot << 8 | word : 0, 0};
  };
  for (int i = 0; i < 3; ++i) say(link::HostMessage::event(1));
  run(Time::from_us(1));
  ASSERT_EQ(arrived.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(arrived[i].sequence, 100 + i);
    EXPECT_EQ(arrived[i].source, 0x2au);
    EXPECT_EQ(arrived[i].interface, 1);
    EXPECT_EQ(arrived[i].channel, 9);
  }
  EXPECT_EQ(arrived[0].bytes, 64);
  EXPECT_EQ(arrived[0].payload[56], std::byte{7});
  EXPECT_EQ(arrived[2].bytes, 33);
  EXPECT_EQ(arrived[2].payload[32], std::byte{4});
  EXPECT_EQ(arrived[2].payload[33], std::byte{2});
  // Heads: 1, 2, 3.
  std::vector<std::string> heads;
  for (const std::string& access : accesses) {
    if (access.find("0:41808 =") == 0) heads.push_back(access);
  }
  EXPECT_THAT(heads, ElementsAre("0:41808 = 0 1", "0:41808 = 0 2", "0:41808 = 0 3"));
  // The pointers count modulo twice the depth, the slots modulo the depth.
  accesses.clear();
  value_of = [](const link::HostMessage&, Time) { return link::Word{}; };
  for (int i = 0; i < 30; ++i) {
    say(link::HostMessage::event(1));
    run(Time::from_ns(500));
  }
  EXPECT_EQ(arrived.size(), 33u);
  EXPECT_EQ(accesses.back(), "0:41808 = 0 1");
  EXPECT_EQ(accesses[accesses.size() - 2], "0:41018?");
}

TEST_F(RegisterNiTest, ServesMemory) {
  run(Time::from_us(1));
  say(link::HostMessage::memory_read(0x100, 3, 77, 1));
  run(Time::from_ns(300));
  ASSERT_EQ(memory_answers.size(), 2u);
  EXPECT_EQ(memory_answers[0].operation, link::HostOperation::kMemoryData);
  EXPECT_EQ(memory_answers[0].tag, 77u);
  EXPECT_EQ(memory_answers[0].data_words, 2u);
  EXPECT_EQ(memory_answers[0].data[1].lo, 0x1716151413121110u);
  EXPECT_EQ(memory_answers[1].data_words, 1u);
  EXPECT_EQ(memory_answers[1].data[0].hi, 0x2f2e2d2c2b2a2928u);
  memory_answers.clear();
  const std::array<link::Word, 2> data{link::Word{0x0807060504030201, 0}, link::Word{0, 0x1122334455667788}};
  say(link::HostMessage::memory_write(0x200, 3, 78, 1));
  say(link::HostMessage::memory_bytes(0x8000'000fu, data.data(), 2));
  say(link::HostMessage::memory_read(0x0, 1, 79, 1));
  say(link::HostMessage::memory_bytes(1, data.data(), 1));
  run(Time::from_ns(300));
  EXPECT_THAT(memory,
              ElementsAre(std::pair(uint64_t{0x200}, std::byte{1}), std::pair(uint64_t{0x201}, std::byte{2}),
                          std::pair(uint64_t{0x202}, std::byte{3}), std::pair(uint64_t{0x203}, std::byte{4}),
                          std::pair(uint64_t{0x21f}, std::byte{0x11}), std::pair(uint64_t{0x220}, std::byte{1})));
  ASSERT_EQ(memory_answers.size(), 2u);
  EXPECT_EQ(memory_answers[0].tag, 79u);
  EXPECT_TRUE(memory_answers[1] == link::HostMessage::memory_written(78, 0));
  EXPECT_THAT(failures, IsEmpty());
}

class RegisterNiOfSlowMemory : public RegisterNiTest {
 protected:
  RegisterNiOfSlowMemory()
      : RegisterNiTest({.memory = memory::HostMemory::Config{.bandwidth = Bandwidth{102'400'000'000},
                                                             .latency = Time::from_us(1)}}) {}
};

TEST_F(RegisterNiOfSlowMemory, ReadsWritesAndAnswersWhenMemoryDoes) {
  run(Time::from_us(1));
  const std::array<link::Word, 1> data{link::Word{0x01, 0}};
  say(link::HostMessage::memory_write(0x200, 1, 78, 1));
  say(link::HostMessage::memory_bytes(1, data.data(), 1));
  say(link::HostMessage::memory_read(0x100, 1, 77, 1));
  run(Time::from_ns(900));
  EXPECT_THAT(memory, IsEmpty());
  EXPECT_THAT(memory_answers, IsEmpty());
  run(Time::from_ns(500));
  EXPECT_THAT(memory, ElementsAre(std::pair(uint64_t{0x200}, std::byte{1})));
  EXPECT_EQ(memory_answers.size(), 2u);
  EXPECT_THAT(failures, IsEmpty());
}

nic::exanet::Transfer some_transfer() {
  nic::exanet::Transfer transfer;
  transfer.node = 0x2a;
  transfer.remote = 0x40'0000'0013;
  transfer.local = 0x3;
  transfer.bytes = 1000;
  transfer.at_destination = {0x1000, 42};
  transfer.at_source = {0x2008, 42};
  return transfer;
}

TEST_F(RegisterNiTest, StartsTransfersOneAfterTheOtherOnAChannel) {
  run(Time::from_us(1));
  accesses.clear();
  ni_->start_transfer(3, some_transfer());
  run(Time::from_us(1));
  EXPECT_THAT(accesses, ElementsAre("1:c0 = 3e80001 a84000000013", "1:d0 = 2a 3",
                                    "1:e0 = 8000000000002008 8000000000001000", "1:f0 = 8000000000000000 0"));
  accesses.clear();
  // The notification comes before the unit is done; the next transfer waits for that.
  const Time ready = now_ + Time::from_us(1);
  value_of = [&](const link::HostMessage&, Time time) { return link::Word{time < ready ? 0x11u : 0x20u, 0}; };
  const std::array<link::Word, 1> data{link::Word{0, 42}};
  say(link::HostMessage::memory_write(0x2000, 1, 1, 1));
  say(link::HostMessage::memory_bytes(0xff00, data.data(), 1));
  run(Time::from_ns(200));
  ni_->start_transfer(3, some_transfer());
  run(Time::from_us(2));
  ASSERT_GT(accesses.size(), 6u);
  EXPECT_EQ(accesses[0], "1:c0?");
  EXPECT_EQ(accesses[accesses.size() - 5], "1:c0?");
  EXPECT_EQ(accesses.back(), "1:f0 = 8000000000000000 0");
  EXPECT_THAT(failures, IsEmpty());
}

TEST_F(RegisterNiTest, FindsOutWhyATransferDoesNotEnd) {
  run(Time::from_us(1));
  ni_->start_transfer(3, some_transfer());
  value_of = [&](const link::HostMessage&, Time time) {
    return link::Word{time < Time::from_us(500) ? 0x11u : 0x90u, 0};
  };
  run(Time::from_us(2000));
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_THAT(failures[0], HasSubstr("RDMA channel 3, 1000 bytes to 0x4000000013 of node 0x2a: page fault in the other "
                                     "node's memory (code 9)"));
}

TEST_F(RegisterNiTest, SaysWhatWasRefused) {
  response_of = [](const link::HostMessage& message) { return message.address == 0x48 ? 2u : 0u; };
  ni_->send_message(0, 5, 0, {});
  run(Time::from_us(2));
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_THAT(failures[0], HasSubstr("doorbell of packetizer channel 0 (to node 0x5) was answered with SLVERR"));
}

TEST_F(RegisterNiTest, RefusesWhatCannotBe) {
  ni_->start_transfer(512, some_transfer());
  run(Time::from_us(1));
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_THAT(failures[0], HasSubstr("RDMA channel 512 does not exist"));
}

TEST_F(RegisterNiTest, NamesAnswersThatNobodyWaitsFor) {
  run(Time::from_us(1));
  say(link::HostMessage::register_written(99, 0));
  run(Time::from_us(1));
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_THAT(failures[0], HasSubstr("register write 99"));
}

TEST_F(RegisterNiTest, NamesBytesOfNoWrite) {
  run(Time::from_us(1));
  const std::array<link::Word, 1> data{};
  say(link::HostMessage::memory_bytes(1, data.data(), 1));
  run(Time::from_us(1));
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_THAT(failures[0], HasSubstr("belong to no write"));
}

TEST_F(RegisterNiTest, SaysWhatItWaitsFor) {
  ni_->send_message(0, 5, 0, {});
  run(Time::from_ns(50));
  EXPECT_THAT(ni_->waits_for(), HasSubstr("waits for the answer to a write of register 0x80000"));
  run(Time::from_us(1));
  response_of = [](const link::HostMessage&) { return 0; };
}

}  // namespace
}  // namespace fabrictwin::test

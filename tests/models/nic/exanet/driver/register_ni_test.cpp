// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The processor's side of a host port against a scripted logic behind a cut link.
#include "models/nic/exanet/driver/register_ni.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "fmt/format.h"
#include "models/kernel/cut_link.h"
#include "models/kernel/systemc_context.h"
#include "tests/cosim/link/ring_memory.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Time kLatency = Time::from_ps(62'500);
constexpr Time kStep = Time::from_ps(12'500);

link::ChannelSpec spec(uint32_t id, const char* name) { return {id, name, kLatency, Clock(Frequency{1})}; }

class RegisterNiTest : public ::testing::Test, public nic::exanet::Client {
 protected:
  RegisterNiTest() : RegisterNiTest(nic::exanet::driver::RegisterNi::Config{}) {}
  explicit RegisterNiTest(nic::exanet::driver::RegisterNi::Config config) {
    config.latency = kLatency;
    config.client = this;
    config.interfaces = 2;
    ni_ = std::make_unique<nic::exanet::driver::RegisterNi>("ni", config);
    cut_ = std::make_unique<kernel::CutLink>("cut", down_, up_receiver_);
    ni_->port_out.bind(cut_->in);
    cut_->out.bind(ni_->port_in);
  }

  // nic::exanet::Client.
  void message_arrived(const nic::exanet::Message& message) override { arrived.push_back(message); }
  void message_done(int32_t channel, nic::exanet::MessageState state) override {
    done.push_back(fmt::format("{} {} at {}", channel, static_cast<int>(state), to_string(now())));
  }
  void read_memory(uint64_t address, std::span<std::byte> bytes) override {
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(address + i);
  }
  void write_memory(uint64_t address, std::span<const std::byte> bytes,
                    const std::array<uint64_t, 4>& strobes) override {
    for (size_t i = 0; i < bytes.size(); ++i) {
      if ((strobes[i / 64] >> (i % 64) & 1) != 0) memory[address + i] = bytes[i];
    }
  }
  void ni_failed(const std::string& what) override { failures.push_back(what); }

  Time now() const { return kernel::from_sc_time(sc_core::sc_time_stamp()); }

  /// Advances everything by `time`; the logic answers what `answer` says, 50 ns after it came.
  void run(Time time) {
    const Time end = now_ + time;
    while (now_ < end) {
      now_ += kStep;
      EXPECT_TRUE(up_receiver_.poll().ok());
      cut_->receive_until(now_);
      while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
      sc_core::sc_start(kernel::to_sc_time(now_ - kernel::from_sc_time(sc_core::sc_time_stamp())));
      down_.flush(now_);
      EXPECT_TRUE(down_receiver_.poll().ok());
      while (const link::Record* record = down_receiver_.front()) {
        if (record->time() >= now_) break;
        const absl::StatusOr<link::HostMessage> message = link::HostMessage::decode(*record);
        ASSERT_TRUE(message.ok()) << message.status();
        answer(*message, record->time());
        down_receiver_.pop();
      }
      up_.flush(now_);
    }
  }

  void answer(const link::HostMessage& message, Time time) {
    const Time sent = time + Time::from_ns(50);
    if (message.operation == link::HostOperation::kRegisterWrite) {
      accesses.push_back(fmt::format("{}:{:x} = {:x} {:x}", static_cast<int>(message.region), message.address,
                                     message.data[0].hi, message.data[0].lo));
      up_.send_record(sent, link::HostMessage::register_written(message.tag, response_of(message)).encode());
    } else if (message.operation == link::HostOperation::kRegisterRead) {
      accesses.push_back(fmt::format("{}:{:x}?", static_cast<int>(message.region), message.address));
      const link::Word value = value_of(message, time);
      up_.send_record(sent, link::HostMessage::register_data(message.tag, response_of(message), value).encode());
    } else {
      memory_answers.push_back(message);
    }
  }
  void say(const link::HostMessage& message) { up_.send_record(now_, message.encode()); }

  std::function<uint32_t(const link::HostMessage&)> response_of = [](const link::HostMessage&) { return 0; };
  std::function<link::Word(const link::HostMessage&, Time)> value_of = [](const link::HostMessage&, Time) {
    return link::Word{};
  };
  std::vector<std::string> accesses, done, failures;
  std::vector<link::HostMessage> memory_answers;
  std::vector<nic::exanet::Message> arrived;
  std::map<uint64_t, std::byte> memory;

  std::unique_ptr<kernel::SystemcContext> systemc_ = *kernel::SystemcContext::create();
  TestRing down_ring_{256}, up_ring_{256};
  link::ChannelSender down_{spec(0, "mpsoc->logic"), down_ring_.get()}, up_{spec(1, "logic->mpsoc"), up_ring_.get()};
  link::ChannelReceiver down_receiver_{spec(0, "mpsoc->logic"), down_ring_.get()};
  link::ChannelReceiver up_receiver_{spec(1, "logic->mpsoc"), up_ring_.get()};
  std::unique_ptr<nic::exanet::driver::RegisterNi> ni_;
  std::unique_ptr<kernel::CutLink> cut_;
  Time now_;
};

constexpr const char* kInterface0 = "0:80000 = 0 8000000000000001";
constexpr const char* kInterface1 = "0:81000 = 0 8000000000000001";
constexpr const char* kMailbox0 = "0:80008 = 0 8000000000000001";
constexpr const char* kMailbox1 = "0:81008 = 0 8000000000000001";
constexpr const char* kPage0 = "1:10000 = 0 10001";

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

class RegisterNiOfMemoryRings : public RegisterNiTest {
 protected:
  RegisterNiOfMemoryRings() : RegisterNiTest({.mailbox_depth = 4, .rings_in_memory = true}) {
    run(Time::from_us(1));
    configured_ = std::exchange(accesses, {});
  }
  /// The logic writes 8 bytes of entry `number` of interface 1, and then that it is there.
  void enter(uint32_t number, uint64_t lap) {
    const uint64_t slot = kRing + uint64_t{number % 4} * 128;
    const std::array<link::Word, 1> data{link::Word{0x100 + number, 0}};
    const std::array<link::Word, 1> description{link::Word{uint64_t{8} << 57 | uint64_t{5} << 32 | number, lap}};
    say(link::HostMessage::memory_write(slot, 1, 2 * number, 1));
    say(link::HostMessage::memory_bytes(0xffff, data.data(), 1));
    say(link::HostMessage::memory_write(slot + 64, 1, 2 * number + 1, 1));
    say(link::HostMessage::memory_bytes(0xffff, description.data(), 1));
    run(Time::from_ns(500));
  }
  static constexpr uint64_t kRing = 0x6800080000;
  std::vector<std::string> configured_;
};

TEST_F(RegisterNiOfMemoryRings, ArePlacedBeforeTheirMailboxes) {
  EXPECT_THAT(configured_, ElementsAre(kInterface0, kInterface1, "0:80010 = 0 8000016800000000", kMailbox0,
                                       "0:81010 = 0 8000016800080000", kMailbox1, kPage0));
}

TEST_F(RegisterNiOfMemoryRings, EntriesAreTakenLapByLapWithoutARead) {
  for (uint32_t number = 0; number < 9; ++number) {
    enter(number, number / 4 % 2 == 0 ? 1 : 0);
    ASSERT_EQ(arrived.size(), number + 1);
    EXPECT_EQ(arrived.back().interface, 1);
    EXPECT_EQ(arrived.back().source, 5u);
    EXPECT_EQ(arrived.back().sequence, number);
    EXPECT_EQ(arrived.back().bytes, 8);
    EXPECT_EQ(arrived.back().payload[0], static_cast<std::byte>(number));
    EXPECT_EQ(arrived.back().payload[1], std::byte{1});
    // Of 4 entries the head is counted up to twice that.
    EXPECT_EQ(std::exchange(accesses, {}), (std::vector{fmt::format("0:41808 = 0 {:x}", (number + 1) % 8)}));
  }
  EXPECT_THAT(failures, IsEmpty());
}

TEST_F(RegisterNiOfMemoryRings, ALapThatIsNotDueEndsTheRun) {
  enter(0, 0);
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0], "entry 0 of the ring of mailbox interface 1 has 0x0 for the lap, and 1 is due");
  EXPECT_THAT(arrived, IsEmpty());
}

TEST_F(RegisterNiOfMemoryRings, AnEntryOutOfTurnEndsTheRun) {
  enter(1, 1);
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0], "the logic writes 16 bytes at 128 of the ring of mailbox interface 1, whose next entry is 0");
}

TEST_F(RegisterNiOfMemoryRings, AnEventOfThemEndsTheRun) {
  say(link::HostMessage::event(1));
  run(Time::from_us(1));
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0], "an event of mailbox interface 1, whose ring is in memory");
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
}  // namespace fabrictwin

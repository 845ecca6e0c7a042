// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How the processor takes messages from mailboxes that do not tell each of them: rings in memory, and interrupts.
#include "models/nic/exanet/driver/register_mailbox.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/models/nic/exanet/driver/register_ni_logic.h"

namespace fabrictwin::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

class RegisterNiOfInterrupts : public RegisterNiTest {
 protected:
  explicit RegisterNiOfInterrupts(bool in_memory = false)
      : RegisterNiTest(
            {.mailbox_depth = 4,
             .rings_in_memory = in_memory,
             .interrupt = nic::exanet::InterruptSettings{.latency = Time::from_us(1), .messages = 2, .delay = 100}}) {
    run(Time::from_us(1));
    configured_ = std::exchange(accesses, {});
    value_of = [this](const link::HostMessage& read, Time) {
      if (read.address == 0xc0018) return link::Word{pending_, 0};
      if (read.address == 0x41800) return link::Word{tail_, 0};
      return link::Word{(read.address & 0x78) == 0x40 ? uint64_t{8} << 57 : 0, 0};
    };
  }
  std::vector<std::string> configured_;
  uint64_t pending_ = 2, tail_ = 0;
};

TEST_F(RegisterNiOfInterrupts, AreSetUpBehindTheMailboxes) {
  EXPECT_THAT(configured_, ElementsAre(kInterface0, kInterface1, kMailbox0, kMailbox1, "0:c0028 = 0 640002",
                                       "0:c0020 = 0 3", kPage0));
}

TEST_F(RegisterNiOfInterrupts, TheProcessorLooksWhenItIsAwake) {
  tail_ = 3;
  say(link::HostMessage::event(1));
  say(link::HostMessage::interrupt());
  run(Time::from_ns(1000));
  EXPECT_THAT(accesses, IsEmpty()) << "it sleeps";
  run(Time::from_us(3));
  ASSERT_GE(accesses.size(), 4u);
  const std::vector<std::string> first(accesses.begin(), accesses.begin() + 4);
  EXPECT_THAT(first, ElementsAre("0:c0018?", "0:c0018 = 0 2", "0:41800?", "0:41040?"));
  ASSERT_EQ(arrived.size(), 3u);
  EXPECT_EQ(arrived[2].interface, 1);
  EXPECT_EQ(arrived[2].bytes, 8);
  EXPECT_EQ(accesses.back(), "0:41808 = 0 3");
  // One that finds nothing does no harm; the tail counts modulo twice the depth.
  for (const uint64_t tail : {3, 7, 1}) {
    tail_ = tail;
    say(link::HostMessage::interrupt());
    run(Time::from_us(4));
  }
  EXPECT_EQ(arrived.size(), 9u);
  EXPECT_EQ(accesses.back(), "0:41808 = 0 1");
  EXPECT_THAT(failures, IsEmpty());
}

TEST_F(RegisterNiOfInterrupts, ATailThatCannotBeEndsTheRun) {
  tail_ = 5;
  say(link::HostMessage::interrupt());
  run(Time::from_us(3));
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0], "mailbox interface 1 has the tail 5, and the processor has seen 0");
}

TEST_F(RegisterNiOfInterrupts, LogicThatRefusesTheirRegistersEndsTheRun) {
  response_of = [](const link::HostMessage& message) { return message.address == 0xc0018 ? 2u : 0u; };
  say(link::HostMessage::interrupt());
  run(Time::from_us(3));
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0], "the interrupt of the mailbox answered an access with SLVERR");
}

class RegisterNiOfInterruptsInMemory : public RegisterNiOfInterrupts {
 protected:
  RegisterNiOfInterruptsInMemory() : RegisterNiOfInterrupts(true) {}
};

TEST_F(RegisterNiOfInterruptsInMemory, EntriesWaitForTheInterrupt) {
  EXPECT_EQ(configured_[2], "0:80010 = 0 c000016800000000");
  const std::array<link::Word, 1> description{link::Word{uint64_t{5} << 32, 1}};
  say(link::HostMessage::memory_write(0x6800080000 + 64, 1, 1, 1));
  say(link::HostMessage::memory_bytes(0xffff, description.data(), 1));
  run(Time::from_us(1));
  EXPECT_THAT(arrived, IsEmpty());
  say(link::HostMessage::interrupt());
  run(Time::from_us(3));
  ASSERT_EQ(arrived.size(), 1u);
  EXPECT_EQ(arrived[0].source, 5u);
  EXPECT_THAT(accesses, ElementsAre("0:c0018?", "0:c0018 = 0 2", "0:41808 = 0 1"));
  EXPECT_THAT(failures, IsEmpty());
}

TEST_F(RegisterNiTest, AnInterruptThatIsNotEnabledEndsTheRun) {
  run(Time::from_us(1));
  say(link::HostMessage::interrupt());
  run(Time::from_us(1));
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0], "an interrupt of the mailbox, which is not enabled");
}

}  // namespace
}  // namespace fabrictwin::test

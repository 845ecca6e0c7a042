// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/processor.h"

#include <gtest/gtest.h>

#include "tests/models/nic/exanet/ni_hosts.h"

namespace fabrictwin::test {
namespace {

constexpr int64_t kCycleFs = 6'400'000;

/// Slow enough that one access waits for the other, never the processor for an answer.
nic::exanet::Timing slow() {
  nic::exanet::Timing timing;
  timing.register_write = 40;
  timing.register_read = 40;
  timing.descriptor_write = 40;
  timing.control_write = 40;
  return timing;
}

/// Cycles, rounded down, from a message's being sent to its arrival at the other host.
int64_t cycles(uint64_t bytes, const nic::exanet::Timing& timing, bool rings_in_memory = false) {
  NiHosts::Options options;
  options.rings_in_memory = rings_in_memory;
  options.timing = timing;
  NiHosts hosts({{{Time::from_us(1), 1, bytes}}, {}}, options);
  hosts.run();
  EXPECT_EQ(hosts.check(), "");
  EXPECT_EQ(hosts.endpoint(1).arrivals.size(), 1u);
  return (hosts.endpoint(1).arrivals.at(0).time - Time::from_us(1)).fs() / kCycleFs;
}

/// What a field's growing by ten cycles costs, in accesses of that kind.
int64_t accesses(uint64_t bytes, int32_t nic::exanet::Timing::*field, bool rings_in_memory = false) {
  nic::exanet::Timing slower = slow();
  slower.*field += 10;
  const int64_t extra = cycles(bytes, slower, rings_in_memory) - cycles(bytes, slow(), rings_in_memory);
  EXPECT_EQ(extra % 10, 0) << extra;
  return extra / 10;
}

TEST(NiProcessor, AnEagerMessageTakesItsWordsAndADestination) {
  // 32 bytes of envelope are four words; the doorbell is rung at once.
  EXPECT_EQ(accesses(0, &nic::exanet::Timing::register_write), 5);
  EXPECT_EQ(accesses(8, &nic::exanet::Timing::register_write), 6);
  EXPECT_EQ(accesses(32, &nic::exanet::Timing::register_write), 9);
  EXPECT_EQ(accesses(0, &nic::exanet::Timing::control_write), 0);
  EXPECT_EQ(accesses(0, &nic::exanet::Timing::descriptor_write), 0);
}

TEST(NiProcessor, ReceivingTakesADescriptionAndTheWords) {
  EXPECT_EQ(accesses(0, &nic::exanet::Timing::register_read), 5);
  EXPECT_EQ(accesses(8, &nic::exanet::Timing::register_read), 6);
  EXPECT_EQ(accesses(32, &nic::exanet::Timing::register_read), 9);
}

TEST(NiProcessor, ARingInMemoryTakesNoRead) {
  EXPECT_EQ(accesses(0, &nic::exanet::Timing::register_read, true), 0);
  EXPECT_EQ(accesses(32, &nic::exanet::Timing::register_read, true), 0);
  EXPECT_EQ(accesses(32, &nic::exanet::Timing::register_write, true), 9);
}

// What is pending, and then the tail of the ring if that is no memory; what is pending is cleared in between.
TEST(NiProcessor, AnInterruptTakesTwoReadsAndAWrite) {
  const auto extra = [](int32_t nic::exanet::Timing::*field, bool in_memory) {
    const auto arrival = [&](int32_t more) {
      NiHosts::Options options;
      options.rings_in_memory = in_memory;
      options.interrupt = nic::exanet::InterruptSettings{};
      options.timing = slow();
      options.timing.*field += more;
      NiHosts hosts({{{Time::from_us(1), 1, 0}}, {}}, options);
      hosts.run();
      EXPECT_EQ(hosts.check(), "");
      return (hosts.endpoint(1).arrivals.at(0).time - Time::from_us(1)).fs() / kCycleFs;
    };
    return arrival(10) - arrival(0);
  };
  EXPECT_EQ(extra(&nic::exanet::Timing::register_read, false), 10 * (5 + 2));
  EXPECT_EQ(extra(&nic::exanet::Timing::register_read, true), 10);
  EXPECT_EQ(extra(&nic::exanet::Timing::register_write, true), 10 * (5 + 1));
}

TEST(NiProcessor, ATransferTakesADescriptor) { EXPECT_EQ(accesses(1000, &nic::exanet::Timing::descriptor_write), 3); }

TEST(NiProcessor, TheSecondMessageKeepsTheDestinationAndWaitsForTheState) {
  NiHosts::Options options;
  options.timing = slow();
  const auto second = [&](const nic::exanet::Timing& timing) {
    options.timing = timing;
    NiHosts hosts({{{Time::from_us(1), 1, 0}, {Time::from_us(50), 1, 0}}, {}}, options);
    hosts.run();
    EXPECT_EQ(hosts.check(), "");
    return (hosts.endpoint(1).arrivals.at(1).time - Time::from_us(50)).fs() / kCycleFs;
  };
  nic::exanet::Timing slower = slow();
  slower.register_write += 10;
  EXPECT_EQ(second(slower) - second(slow()), 40);
}

TEST(NiProcessor, WithoutAccessesAMessageComesWhole) {
  nic::exanet::Timing none;
  EXPECT_LT(cycles(32, none), cycles(32, slow()) - 9 * 40);
}

}  // namespace
}  // namespace fabrictwin::test

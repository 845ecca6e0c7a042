// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/ni.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rapidcheck/gtest.h"
#include "tests/models/nic/exanet/ni_hosts.h"

namespace fabrictwin::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Planned = MessageEndpoint::Planned;

constexpr uint64_t kNiSizes[] = {0, 1, 8, 32, 33, 64, 255, 256, 257, 1000, 4096, 16384, 16385, 40000};

NiHosts::Options random_options() {
  NiHosts::Options options;
  options.link_latency = Time::from_ps(*rc::gen::inRange(1, 200'000));
  options.ring = *rc::gen::element(1, 2, 16);
  options.rings_in_memory = *rc::gen::arbitrary<bool>();
  options.contexts = *rc::gen::element(1, 3, 32);
  options.timing.host_latency = Time::from_ps(*rc::gen::inRange(1, 150'000));
  options.timing.take_time = Time::from_ns(*rc::gen::element(0, 50, 1000));
  options.timing.firmware = *rc::gen::element(0, 100, 469);
  options.windows = *rc::gen::element(1, 32, 64);
  options.timing.translation_cache = *rc::gen::arbitrary<bool>();
  options.timing.bursts = *rc::gen::inRange(1, 9);
  if (*rc::gen::arbitrary<bool>()) {
    options.timing.register_write = *rc::gen::inRange(1, 20);
    options.timing.register_read = *rc::gen::inRange(1, 20);
    options.timing.descriptor_write = *rc::gen::inRange(1, 20);
    options.timing.control_write = *rc::gen::inRange(1, 20);
  }
  if (*rc::gen::arbitrary<bool>()) options.page_fault_time = Time::from_ns(*rc::gen::inRange(1, 30'000));
  if (*rc::gen::arbitrary<bool>()) {
    options.memory =
        memory::HostMemory::Config{.bandwidth = Bandwidth{*rc::gen::inRange<int64_t>(2, 200) * 1'000'000'000},
                                   .latency = Time::from_ns(*rc::gen::inRange(0, 300))};
  }
  if (*rc::gen::arbitrary<bool>()) {
    const int32_t latency = *rc::gen::element(0, 1, 700);
    const int32_t messages = *rc::gen::element(0, 1, 3);
    const int32_t delay = *rc::gen::element(0, 20, 500);
    options.interrupt = {.latency = Time::from_ns(latency), .messages = messages, .delay = delay};
  }
  // The pages of a block may be missing one after the other; contexts that are missing count for nothing.
  options.timing.transfer_retries = 30;
  return options;
}

RC_GTEST_PROP(ExanetNi, DeliversEverythingThroughRouters, ()) {
  NiHosts::Options options = random_options();
  options.routers = true;
  NiHosts hosts(random_plans(*rc::gen::arbitrary<uint64_t>(), *rc::gen::inRange<size_t>(2, 6), 10, kNiSizes, 3000),
                options);
  hosts.run();
  RC_ASSERT(hosts.check() == std::string());
}

// Back to back only the other one can be reached.
RC_GTEST_PROP(ExanetNi, DeliversEverythingBackToBack, ()) {
  const NiHosts::Options options = random_options();
  std::vector<std::vector<Planned>> plans = random_plans(*rc::gen::arbitrary<uint64_t>(), 2, 12, kNiSizes, 3000);
  for (size_t i = 0; i < 2; ++i) {
    for (Planned& planned : plans[i]) planned.destination = static_cast<int32_t>(1 - i);
  }
  NiHosts hosts(plans, options);
  hosts.run();
  RC_ASSERT(hosts.check() == std::string());
}

// Memory keeps an entry for some time, in which copies of its message come.
TEST(ExanetNi, CopiesOfAMessageOnItsWayToMemoryAreDropped) {
  NiHosts::Options options;
  options.rings_in_memory = true;
  options.timing.message_timeout = 100;
  options.memory = memory::HostMemory::Config{.bandwidth = Bandwidth{10'000'000'000}, .latency = Time::from_us(1)};
  NiHosts hosts({{{Time::from_us(1), 1, 8}}, {}}, options);
  hosts.run();
  EXPECT_EQ(hosts.check(), "");
  EXPECT_EQ(hosts.ni(1).mailbox().accepted(), 1u);
  EXPECT_GE(hosts.ni(1).mailbox().dropped(), 1u);
  // Later ones are answered again.
  EXPECT_EQ(hosts.ni(0).packetizer().copies(), hosts.ni(1).mailbox().dropped() + hosts.ni(1).mailbox().duplicates());
}

// The processor finds the message when its description, behind the message, is in memory; the answer is two latencies
// of the host port behind that of a ring in block RAM.
TEST(ExanetNi, AMessageInMemoryIsFoundAfterOneLatency) {
  const auto arrival = [](bool in_memory) {
    NiHosts::Options options;
    options.rings_in_memory = in_memory;
    NiHosts hosts({{{Time::from_us(1), 1, 32}}, {}}, options);
    hosts.run();
    EXPECT_EQ(hosts.check(), "");
    return hosts.endpoint(1).arrivals.at(0).time;
  };
  // 64 bytes with the envelope: the description is the fifth word, and its write begins two cycles later than an entry
  // in block RAM is there.
  constexpr int64_t kCycleFs = 6'400'000;
  EXPECT_EQ((arrival(true) - arrival(false)).fs(), (4 + 4 - 2) * kCycleFs);
}

/// When a message of 32 bytes arrives, with a host port of ten cycles.
int64_t cycles_to_arrival(std::optional<nic::exanet::InterruptSettings> interrupt) {
  NiHosts::Options options;
  options.timing.host_latency = Time::from_ps(64'000);
  options.interrupt = interrupt;
  NiHosts hosts({{{Time::from_us(1), 1, 32}}, {}}, options);
  hosts.run();
  EXPECT_EQ(hosts.check(), "");
  EXPECT_EQ(hosts.ni(1).mailbox().interrupts(), interrupt.has_value() ? 1u : 0u);
  return hosts.endpoint(1).arrivals.at(0).time.fs() / 6'400'000;
}

// The interrupt leaves two cycles after the entry, and the processor crosses its port to clear it and to look.
TEST(ExanetNi, AnInterruptWakesTheProcessor) {
  const nic::exanet::InterruptSettings at_once{.latency = Time::from_ps(640'000)};
  EXPECT_EQ(cycles_to_arrival(at_once) - cycles_to_arrival(std::nullopt), 2 + 100 + 2 * 10);
  nic::exanet::InterruptSettings late = at_once;
  late.delay = 300;
  EXPECT_EQ(cycles_to_arrival(late) - cycles_to_arrival(at_once), 300);
  late.messages = 1;
  EXPECT_EQ(cycles_to_arrival(late), cycles_to_arrival(at_once));
}

// Six messages of one host, a microsecond apart.
TEST(ExanetNi, ModerationMakesInterruptsRarer) {
  const auto interrupts = [](int32_t messages, int32_t delay) {
    NiHosts::Options options;
    options.interrupt = {.latency = Time::from_ns(100), .messages = messages, .delay = delay};
    std::vector<Planned> plan;
    for (int i = 0; i < 6; ++i) plan.push_back({Time::from_us(1 + i), 1, 8});
    NiHosts hosts({plan, {}}, options);
    hosts.run();
    EXPECT_EQ(hosts.check(), "");
    return hosts.ni(1).mailbox().interrupts();
  };
  EXPECT_EQ(interrupts(0, 0), 6u);
  EXPECT_EQ(interrupts(3, 1'000'000), 2u);
  EXPECT_EQ(interrupts(0, 1'000'000), 1u);
}

// More transfers arrive than there are contexts: some wait in the queue, and none fails although nothing may be
// repeated.
TEST(ExanetNi, TransfersWithoutAContextWait) {
  NiHosts::Options options;
  options.routers = true;
  options.windows = 64;
  options.timing.transfer_retries = 0;
  std::vector<std::vector<Planned>> plans(7);
  for (size_t from = 1; from < plans.size(); ++from) {
    for (int i = 0; i < 12; ++i) plans[from].push_back({{}, 0, 30'000});
  }
  NiHosts hosts(plans, options);
  hosts.run();
  ASSERT_THAT(hosts.check(), IsEmpty());
  EXPECT_GT(hosts.ni(0).rdma_receiver().queued(), 10u);
  uint64_t repeated = 0;
  for (size_t from = 1; from < plans.size(); ++from) repeated += hosts.ni(from).rdma_sender().repeated();
  EXPECT_EQ(repeated, hosts.ni(0).rdma_receiver().queued()) << "each once";
}

// Doorbell to the mailbox as docs/models/exanet-ni.md measures it: 7 cycles and one for each word, with the register
// between that is a link of one cycle here. The host port is crossed twice.
TEST(ExanetNi, AShortMessageTakesTheTimeOfTheRtl) {
  for (const uint64_t body : {0, 1, 16, 17, 32}) {
    NiHosts::Options options;
    options.link_latency = Time::from_ps(6400);
    NiHosts hosts({{{{}, 1, body}}, {}}, options);
    hosts.run();
    ASSERT_THAT(hosts.check(), IsEmpty());
    const auto words = static_cast<int64_t>(3 + (32 + body + 15) / 16);
    // 62.5 ns later is between edges 9 and 10.
    EXPECT_EQ(hosts.endpoint(1).arrivals[0].time, Time::from_ps(6400 * (10 + 7 + words) + 62500)) << body;
    EXPECT_EQ(hosts.counters(0).words.get(), static_cast<uint64_t>(words));
    EXPECT_EQ(hosts.counters(1).words.get(), 3u) << "the ack";
  }
}

// The published time from user to user between neighbours is 470 ns, of which 120 are the link and 145 the routing
// block; 205 are left for what is here.
TEST(ExanetNi, AShortMessageTakesAboutThePublishedTime) {
  NiHosts::Options options;
  options.link_latency = Time::from_ns(120 + 145);
  NiHosts hosts({{{{}, 1, 0}}, {}}, options);
  hosts.run();
  ASSERT_THAT(hosts.check(), IsEmpty());
  EXPECT_NEAR(hosts.endpoint(1).arrivals[0].time.seconds(), 470e-9, 20e-9);
}

TEST(ExanetNi, OneContextServesAllAfterRefusals) {
  NiHosts::Options options;
  options.routers = true;
  options.contexts = 1;
  std::vector<std::vector<Planned>> plans(4);
  for (size_t i = 1; i < 4; ++i) plans[i] = {{{}, 0, 50000}, {{}, 0, 50000}};
  options.timing.transfer_retries = 1000;
  NiHosts hosts(plans, options);
  hosts.run();
  EXPECT_THAT(hosts.check(), IsEmpty());
  EXPECT_GT(hosts.ni(0).rdma_receiver().refused(), 0u);
  EXPECT_GT(hosts.ni(1).rdma_sender().repeated() + hosts.ni(2).rdma_sender().repeated(), 0u);
}

TEST(ExanetNi, AFullRingIsAnsweredAndTriedAgain) {
  NiHosts::Options options;
  options.ring = 1;
  options.timing.take_time = Time::from_us(2);
  std::vector<Planned> plan(20, Planned{{}, 1, 8});
  NiHosts hosts({plan, {}}, options);
  hosts.run();
  EXPECT_THAT(hosts.check(), IsEmpty());
  EXPECT_GT(hosts.ni(1).mailbox().refused(), 0u);
  EXPECT_EQ(hosts.ni(1).mailbox().refused(), hosts.driver(0).retried());
}

TEST(ExanetNi, AWrongProtectionDomainEndsTheRunWithBothNames) {
  NiHosts::Options options;
  options.other_pdid = 8;
  NiHosts hosts({{{{}, 1, 8}}, {}}, options);
  hosts.run(Time::from_us(1'000'000));
  EXPECT_THAT(hosts.failure(), HasSubstr("mpsoc[0] at "));
  EXPECT_THAT(hosts.failure(), HasSubstr("mpsoc[1] refused a message 1001 times"));
}

// A transfer moves close to a word in a cycle: 16 of 18 words are data.
TEST(ExanetNi, ALongMessageFillsTheLink) {
  NiHosts hosts({{{{}, 1, 1 << 20}}, {}}, {});
  hosts.run();
  ASSERT_THAT(hosts.check(), IsEmpty());
  const double bytes_per_cycle = (1 << 20) * 6.4e-9 / hosts.endpoint(1).arrivals[0].time.seconds();
  EXPECT_GT(bytes_per_cycle, 13.5);
  EXPECT_LT(bytes_per_cycle, 16.0 * 256 / 288);
}

constexpr uint64_t kMebibyte = 1 << 20;

Time time_of_a_mebibyte(const std::optional<memory::HostMemory::Config>& memory, bool both_ways = false) {
  NiHosts::Options options;
  options.memory = memory;
  std::vector<std::vector<Planned>> plans = {{{{}, 1, kMebibyte}}, {}};
  if (both_ways) plans[1] = {{{}, 0, kMebibyte}};
  NiHosts hosts(plans, options);
  hosts.run();
  EXPECT_THAT(hosts.check(), IsEmpty());
  return hosts.endpoint(1).arrivals.at(0).time;
}

// 2^20 bytes at 400 MB/s are 2621.44 us.
TEST(ExanetNi, ALongMessageIsAsFastAsTheMemory) {
  memory::HostMemory::Config memory{.bandwidth = Bandwidth{3'200'000'000}};
  EXPECT_NEAR(time_of_a_mebibyte(memory).seconds() * 1e6, 2621.44, 5);
  // Reads of the one message and writes of the other share each memory.
  EXPECT_NEAR(time_of_a_mebibyte(memory, true).seconds() * 1e6, 2 * 2621.44, 20);
  // Three cores that want all they can get leave a quarter; three that want 100 MB/s each leave that much.
  memory.load_cores = 3;
  memory.load_rate = memory.bandwidth;
  EXPECT_NEAR(time_of_a_mebibyte(memory).seconds() * 1e6, 4 * 2621.44, 20);
  memory.load_rate = Bandwidth{400'000'000};
  EXPECT_NEAR(time_of_a_mebibyte(memory).seconds() * 1e6, 1.6 * 2621.44, 10);
}

// 40000 bytes lie in one piece of memory at either end; both pieces, and those of both notifications, fault once, and a
// try comes every 6.6 us.
TEST(ExanetNi, MissingPagesCostTriesAndTheSecondMessageFindsThem) {
  NiHosts::Options options;
  Time without;
  {
    NiHosts pinned({{{{}, 1, 40'000}}, {}}, options);
    pinned.run();
    without = pinned.endpoint(1).arrivals.at(0).time;
  }
  options.page_fault_time = Time::from_us(5);
  options.timing.transfer_retries = 20;
  std::vector<Planned> plan;
  // Both windows of the driver are used again after 32 messages.
  for (int i = 0; i < 40; ++i) plan.push_back({Time::from_us(100 * i), 1, 40'000});
  NiHosts hosts({plan, {}}, options);
  hosts.run();
  ASSERT_THAT(hosts.check(), IsEmpty());
  const auto& arrivals = hosts.endpoint(1).arrivals;
  EXPECT_GT(arrivals[0].time, without + Time::from_us(2 * 6));
  EXPECT_LT(arrivals[0].time, without + Time::from_us(4 * 8));
  EXPECT_LT(arrivals[39].time - Time::from_us(3900), without + Time::from_ns(10)) << "only edges differ";
  EXPECT_GT(hosts.ni(0).rdma_sender().repeated(), 32u);
  EXPECT_GT(hosts.ni(1).rdma_receiver().refused(), 32u);
}

TEST(ExanetNi, PagesThatNeverComeEndTheRun) {
  NiHosts::Options options;
  options.page_fault_time = Time::from_us(1'000'000);
  NiHosts hosts({{{{}, 1, 100}}, {}}, options);
  hosts.run();
  EXPECT_THAT(hosts.failure(), HasSubstr("page faults in the own memory"));
}

TEST(ExanetNi, FastMemoryIsAsGoodAsNone) {
  const double none = time_of_a_mebibyte({}).seconds();
  const double fast =
      time_of_a_mebibyte(memory::HostMemory::Config{.bandwidth = Bandwidth{1'000'000'000'000}}).seconds();
  EXPECT_GE(fast, none);
  EXPECT_LE(fast, 1.001 * none);
}

// Eight bursts in 125 ns of host port, 875 of memory, and a quarter of a microsecond on data wires and link.
TEST(ExanetNi, SlowAnswersOfMemoryBoundALongMessage) {
  const memory::HostMemory::Config memory{.bandwidth = Bandwidth{100'000'000'000}, .latency = Time::from_ns(875)};
  const double rate = kMebibyte / time_of_a_mebibyte(memory).seconds();
  EXPECT_NEAR(rate / (8 * 256 / 1.25e-6), 1, 0.06);
}

TEST(ExanetNi, TheSameRunGivesTheSameDigest) {
  const auto digest = [](int64_t latency) {
    NiHosts::Options options;
    options.routers = true;
    options.link_latency = Time::from_ns(latency);
    NiHosts hosts(random_plans(5, 4, 20, kNiSizes, 3000), options);
    hosts.run();
    EXPECT_THAT(hosts.check(), IsEmpty());
    return hosts.timing();
  };
  EXPECT_EQ(digest(50), digest(50));
  EXPECT_NE(digest(50), digest(7000));
}

}  // namespace
}  // namespace fabrictwin::test

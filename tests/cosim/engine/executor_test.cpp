// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/engine/executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <thread>

#include "rapidcheck/gtest.h"
#include "tests/cosim/engine/token_system.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

// Any directed graph; some partitions may be out of reach of others.
TokenOptions random_system() {
  TokenOptions options;
  options.partitions = *rc::gen::inRange(1, 7);
  const int channels = *rc::gen::inRange(0, 16);
  for (int i = 0; i < channels; ++i) {
    TokenChannel channel;
    channel.source = *rc::gen::inRange(0, options.partitions);
    channel.target = *rc::gen::inRange(0, options.partitions);
    channel.latency = Time::from_ns(*rc::gen::inRange(1, 13) * 10);
    if (channel.source != channel.target) options.channels.push_back(channel);
  }
  options.seed = *rc::gen::arbitrary<uint64_t>();
  options.longest_pause = Time::from_us(2);
  return options;
}

engine::ExecutorOptions until(Time limit, int threads = 1, bool idle_jump = true) {
  engine::ExecutorOptions options;
  options.threads = threads;
  options.idle_jump = idle_jump;
  options.limit = limit;
  options.watchdog = std::chrono::seconds(60);
  return options;
}

// The law, in the small: neither threads, nor the idle jump, nor the size of the rings, nor where promises are can be
// seen in what happens.
RC_GTEST_PROP(Executor, HistoryIsIndependentOfThreadsJumpsAndRings, ()) {
  TokenOptions options = random_system();
  const Time limit = Time::from_us(20);
  TokenSystem reference(options);
  RC_ASSERT(reference.run(until(limit, 1, false)).ok());

  TokenSystem jumping(options);
  RC_ASSERT(jumping.run(until(limit)).ok());
  RC_ASSERT(jumping.histories() == reference.histories());

  TokenSystem threaded(options);
  RC_ASSERT(threaded.run(until(limit, 3)).ok());
  RC_ASSERT(threaded.histories() == reference.histories());

  TokenOptions by_table = options;
  by_table.promises = false;
  for (const bool jumps : {false, true}) {
    TokenSystem promised(by_table);
    RC_ASSERT(promised.run(until(limit, jumps ? 3 : 1, jumps)).ok());
    RC_ASSERT(promised.histories() == reference.histories());
  }

  options.ring_slots = by_table.ring_slots = 1;
  TokenSystem narrow(options);
  RC_ASSERT(narrow.run(until(limit, 2)).ok());
  RC_ASSERT(narrow.histories() == reference.histories());
  // What a full ring holds back must not be promised.
  TokenSystem held(by_table);
  RC_ASSERT(held.run(until(limit, 2)).ok());
  RC_ASSERT(held.histories() == reference.histories());
}

TokenOptions ring_of_three() {
  TokenOptions options;
  options.partitions = 3;
  for (int32_t p = 0; p < 3; ++p) {
    options.channels.push_back({p, (p + 1) % 3, Time::from_ns(50)});
    options.channels.push_back({p, (p + 2) % 3, Time::from_ns(120)});
  }
  return options;
}

TEST(Executor, JumpsOverAnIdleSecondInAFewSteps) {
  TokenOptions options = ring_of_three();
  options.tokens_each = 0;
  TokenSystem system(options);
  ASSERT_TRUE(system.run(until(Time::from_us(1'000'000))).ok());
  // Creeping on by 50 ns at a time would take 20 million steps a partition.
  EXPECT_LT(system.steps(), 100u);
}

TEST(Executor, SaysWhoWaitsWhenNothingCanHappenAnyMore) {
  TokenSystem system(ring_of_three());
  const absl::Status status = system.run(until(Time::never()));
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("nothing can happen any more"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("partition 2 waits for a token"));
}

TEST(Executor, ASystemAtRestWithoutJumpsIsEndedByTheLimit) {
  TokenSystem system(ring_of_three());
  ASSERT_TRUE(system.run(until(Time::from_us(100), 2, false)).ok());
  EXPECT_EQ(system.executor().slowest_time(), Time::from_us(100));
}

engine::ExecutorOptions with_background(int threads = 1) {
  engine::ExecutorOptions options = until(Time::never(), threads);
  options.others_work = options.ends_together = true;
  return options;
}

// A run with work in the background is a run up to the end of its foreground work, which nobody knows before.
RC_GTEST_PROP(Executor, WorkInTheBackgroundEndsWithTheRest, ()) {
  TokenOptions options = random_system();
  options.hops = 50;
  const Time limit = Time::from_us(20);
  // Which arrival is the last one that counts is chosen among those that there are before the limit.
  TokenSystem all(options);
  RC_ASSERT(all.run(until(limit)).ok());
  options.foreground.resize(static_cast<size_t>(options.partitions));
  for (int32_t p = 0; p < options.partitions; ++p) {
    const uint64_t arrivals = all.executor().partitions()[static_cast<size_t>(p)].partition->events();
    options.foreground[static_cast<size_t>(p)] = *rc::gen::inRange<uint64_t>(0, arrivals + 1);
  }

  TokenSystem background(options);
  RC_ASSERT(background.run(with_background()).ok());
  const std::vector<Time> ends = background.foreground_ends();
  const Time end = *std::max_element(ends.begin(), ends.end());
  for (const Time time : background.times()) RC_ASSERT(time == end);
  TokenOptions alone = options;
  alone.foreground.clear();
  TokenSystem reference(alone);
  RC_ASSERT(end.fs() == 0 || reference.run(until(end, 1, false)).ok());
  RC_ASSERT(background.histories() == reference.histories());

  options.promises = false;
  options.ring_slots = 1;
  TokenSystem threaded(options);
  RC_ASSERT(threaded.run(with_background(3)).ok());
  RC_ASSERT(threaded.histories() == reference.histories());
  RC_ASSERT(threaded.foreground_ends() == ends);
}

// Tokens go round for ever, and what the run waits for does not come.
TEST(Executor, WorkInTheBackgroundHidesNoDeadlock) {
  TokenOptions options = ring_of_three();
  options.endless = true;
  options.foreground = {0, ~uint64_t{0}, 0};
  options.waits = true;
  TokenSystem system(options);
  const absl::Status status = system.run(with_background());
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(std::string(status.message()), HasSubstr("only jobs in the background still run"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("partition 1 waits for a token"));
}

TEST(Executor, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  TokenSystem system(ring_of_three());
  EXPECT_EQ(system.run(until(Time::never()), stop.get_token()).code(), absl::StatusCode::kCancelled);
}

TEST(Executor, AnExceptionOfAPartitionEndsTheRun) {
  class Thrower : public engine::Partition {
   public:
    absl::Status advance(Time) override { throw std::runtime_error("no memory left"); }
    Time next_event() const override { return Time::from_us(1); }
    uint64_t events() const override { return 0; }
    bool done() const override { return false; }
  };
  alignas(64) std::array<std::byte, 4096> memory{};
  engine::SyncTable table(memory.data(), 1, {});
  Thrower thrower;
  engine::LocalPartition local;
  local.name = "models";
  local.partition = &thrower;
  link::Doorbell bell;
  engine::Executor executor(table, {local}, until(Time::never()), bell, {}, nullptr);
  const absl::Status status = executor.run({});
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_EQ(status.message(), "models, not before 0 fs: no memory left");
}

const metric::Counter kAdvances{{.name = "fabrictwin_test_advances_total", .help = "Advances of a partition"}};

struct LastValue : metric::Sink {
  void take(const metric::Sample& sample) override { value = std::get<double>(sample.value); }
  double value = 0;
};

// A partition is shown between two advances only, whatever the threads of the executor do meanwhile.
TEST(Executor, AViewerSeesNoPartitionAtWork) {
  class Counting : public engine::Partition {
   public:
    absl::Status advance(Time until) override {
      EXPECT_FALSE(inside_.exchange(true)) << "two threads are at work in it";
      now_ = until;
      // Time in which a viewer that does not wait would come.
      std::this_thread::yield();
      ++advances_;
      inside_.store(false);
      return absl::OkStatus();
    }
    Time next_event() const override { return now_ + Time::from_us(1); }
    uint64_t events() const override { return 0; }
    bool done() const override { return done_.load(); }
    void measure(metric::Sink& sink) const override {
      EXPECT_FALSE(inside_.load());
      sink.add(kAdvances, static_cast<double>(advances_));
      std::this_thread::yield();
      EXPECT_FALSE(inside_.load());
    }
    void finish() { done_.store(true); }

   private:
    std::atomic<bool> inside_{false};
    uint64_t advances_ = 0;
    Time now_;
    std::atomic<bool> done_{false};
  };
  for (const int threads : {1, 2}) {
    alignas(64) std::array<std::byte, 4096> memory{};
    engine::SyncTable table(memory.data(), 1, {});
    Counting counting;
    engine::LocalPartition local;
    local.partition = &counting;
    link::Doorbell bell;
    engine::Executor executor(table, {local}, until(Time::never(), threads), bell, {}, nullptr);
    int looks = 0;
    std::jthread viewer([&](const std::stop_token& stop) {
      double before = 0;
      // Only looks that find it further on count, so that the run is at work between them.
      while (looks < 100 && !stop.stop_requested()) {
        LastValue seen;
        EXPECT_TRUE(executor.look(0, std::chrono::minutes(1), [&](const engine::Partition& p) { p.measure(seen); }));
        EXPECT_GE(seen.value, before);
        if (seen.value > before) {
          ++looks;
        } else {
          std::this_thread::yield();
        }
        before = seen.value;
      }
      counting.finish();
    });
    EXPECT_TRUE(executor.run({}).ok());
    viewer.request_stop();
    viewer.join();
    EXPECT_EQ(looks, 100);
    // Afterwards too.
    EXPECT_TRUE(executor.look(0, std::chrono::milliseconds(0), [](const engine::Partition&) {}));
  }
}

// A row of another process may be here before the records that it counts.
TEST(Executor, WaitsForRecordsThatARowCounts) {
  class Listener : public engine::Partition {
   public:
    absl::Status advance(Time until) override {
      now = until;
      while (receiver->front() != nullptr && receiver->front()->time() < until) receiver->pop();
      return absl::OkStatus();
    }
    Time next_event() const override { return Time::never(); }
    uint64_t events() const override { return 0; }
    bool done() const override { return false; }

    Time now;
    link::ChannelReceiver* receiver = nullptr;
  } listener;
  alignas(64) std::array<std::byte, 4096> memory{};
  engine::SyncTable table(memory.data(), 2, {{0, 0, 1, Time::from_ns(50)}});
  TestRing ring(2);
  const link::ChannelSpec spec{0, "there->here", Time::from_ns(50), Clock(Frequency{1'000'000})};
  link::ChannelSender sender(spec, ring.get());
  link::ChannelReceiver receiver(spec, ring.get());
  listener.receiver = &receiver;
  engine::LocalPartition local;
  local.id = 1;
  local.partition = &listener;
  local.receivers = {&receiver};
  link::Doorbell bell;
  engine::Executor executor(table, {local}, until(Time::never()), bell, {}, nullptr);
  // The other partition is at 10 us and has sent a record at 5 us.
  table.publish(0, Time::from_us(10), Time::from_us(10), {}, std::array<uint64_t, 1>{1});
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(executor.run_once().ok());
  EXPECT_EQ(listener.now, Time::from_ns(50)) << "before that nothing can come from anybody";
  sender.send_credit(Time::from_us(5), 0, 1);
  sender.flush(Time::from_us(6));
  for (int i = 0; i < 3; ++i) {
    const auto moved = executor.run_once();
    ASSERT_TRUE(moved.ok()) << moved.status();
  }
  EXPECT_EQ(listener.now, Time::from_us(10) + Time::from_ns(50));
  EXPECT_EQ(receiver.received(), 1u);
}

// What a full ring holds back would grow without bound if the partition went on.
TEST(Executor, BackPressureStopsAPartitionWhereItIs) {
  class Talker : public engine::Partition {
   public:
    absl::Status advance(Time until) override {
      for (int i = 0; i < 4; ++i) sender->send_credit(now, 0, 1);
      now = until;
      return absl::OkStatus();
    }
    Time next_event() const override { return now; }
    uint64_t events() const override { return 0; }
    bool done() const override { return false; }

    Time now;
    link::ChannelSender* sender = nullptr;
  } talker;
  alignas(64) std::array<std::byte, 4096> memory{};
  engine::SyncTable table(memory.data(), 2, {{0, 0, 1, Time::from_ns(50)}});
  TestRing ring(2);
  const link::ChannelSpec spec{0, "here->there", Time::from_ns(50), Clock(Frequency{1'000'000})};
  link::ChannelSender sender(spec, ring.get());
  link::ChannelReceiver receiver(spec, ring.get());
  talker.sender = &sender;
  engine::LocalPartition local;
  local.name = "here";
  local.partition = &talker;
  local.senders = {&sender};
  link::Doorbell bell;
  engine::Executor executor(table, {local}, until(Time::never()), bell, {}, nullptr);
  ASSERT_TRUE(executor.run_once().ok());
  const Time stopped = talker.now;
  EXPECT_GT(stopped, Time::zero());
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(executor.run_once().ok());
    ASSERT_EQ(talker.now, stopped);
    ASSERT_EQ(sender.sent(), 4u);
  }
  // Two records at a time: the partition goes on when the last of the four is on the ring.
  ASSERT_TRUE(receiver.poll().ok());
  ASSERT_TRUE(executor.run_once().ok());
  EXPECT_GT(talker.now, stopped);
  EXPECT_EQ(receiver.received(), 2u);
}

// A peer in another process that never says anything: the watchdog names what is waited for.
TEST(Executor, TheWatchdogNamesTheSilentPeer) {
  std::vector<std::byte> memory(4096);
  void* base = memory.data();
  size_t space = memory.size();
  std::align(64, 2048, base, space);
  engine::SyncTable table(base, 2, {{0, 0, 1, Time::from_ns(50)}, {1, 1, 0, Time::from_ns(50)}});
  TestRing out(8);
  TestRing in(8);
  const Clock clock(Frequency{1'000'000});
  link::ChannelSender sender({0, "here->there", Time::from_ns(50), clock}, out.get());
  link::ChannelReceiver receiver({1, "there->here", Time::from_ns(50), clock}, in.get());
  class Waiter : public engine::Partition {
   public:
    absl::Status advance(Time) override { return absl::OkStatus(); }
    Time next_event() const override { return Time::from_us(1); }
    uint64_t events() const override { return 0; }
    bool done() const override { return false; }
  } waiter;
  engine::LocalPartition local;
  local.name = "here";
  local.partition = &waiter;
  local.receivers = {&receiver};
  local.senders = {&sender};
  link::Doorbell bell;
  engine::ExecutorOptions options = until(Time::never());
  options.watchdog = std::chrono::milliseconds(50);
  engine::Executor executor(table, {local}, options, bell, {}, nullptr);
  const absl::Status status = executor.run({});
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  // The other partition's row says time zero, so it cannot send anything that arrives before the latency.
  EXPECT_THAT(std::string(status.message()), HasSubstr("here at 50 ns waits for there->here"));
}

}  // namespace
}  // namespace fabrictwin

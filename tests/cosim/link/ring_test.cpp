// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/link/ring.h"

#include <gtest/gtest.h>

#include <deque>
#include <thread>

#include "cosim/base/relax.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "rapidcheck/gtest.h"
#include "tests/cosim/link/ring_memory.h"

namespace fabrictwin {
namespace {

link::Record numbered(uint64_t number) {
  link::Record record;
  record.kind = link::RecordKind::kBurst;
  record.count = 3;
  record.channel = static_cast<uint32_t>(number);
  for (link::Word& word : record.words) word = {number, ~number};
  record.set_time(Time::from_fs(static_cast<int64_t>(number)));
  return record;
}

/// How a thread waits for another one: it yields at last, but where others want its core each yield costs the time that
/// they are given.
class Patience {
 public:
  void wait() {
    if (++waits_ % 1000 != 0) {
      relax();
    } else {
      std::this_thread::yield();
    }
  }

 private:
  int waits_ = 0;
};

TEST(Ring, IsEmptyAtFirst) {
  TestRing ring(4);
  EXPECT_EQ(link::RingConsumer(ring.get()).front(), nullptr);
}

TEST(Ring, RefusesARecordWhenFull) {
  TestRing ring(4);
  link::RingProducer producer(ring.get());
  link::RingConsumer consumer(ring.get());
  for (uint64_t i = 0; i < 4; ++i) EXPECT_TRUE(producer.try_push(numbered(i)));
  EXPECT_FALSE(producer.try_push(numbered(4)));
  consumer.pop();
  EXPECT_TRUE(producer.try_push(numbered(4)));
  EXPECT_FALSE(producer.try_push(numbered(5)));
}

// Any sequence of pushes and pops behaves as a bounded queue.
RC_GTEST_PROP(Ring, IsABoundedQueue, (const std::vector<bool>& pushes)) {
  const uint32_t slots = uint32_t{1} << *rc::gen::inRange(0, 5);
  TestRing ring(slots);
  link::RingProducer producer(ring.get());
  link::RingConsumer consumer(ring.get());
  std::deque<uint64_t> model;
  uint64_t next = 0;
  for (const bool push : pushes) {
    if (push) {
      RC_ASSERT(producer.try_push(numbered(next)) == (model.size() < slots));
      if (model.size() < slots) model.push_back(next++);
      continue;
    }
    const link::Record* front = consumer.front();
    RC_ASSERT((front == nullptr) == model.empty());
    if (front == nullptr) continue;
    RC_ASSERT(front->time().fs() == static_cast<int64_t>(model.front()));
    RC_ASSERT(front->words[2].hi == ~model.front());
    consumer.pop();
    model.pop_front();
  }
}

TEST(Ring, CarriesEveryRecordWholeBetweenThreads) {
  constexpr uint64_t kRecords = RING_RECORDS;
  TestRing ring(16);
  std::jthread producer_thread([&] {
    link::RingProducer producer(ring.get());
    Patience patience;
    for (uint64_t i = 0; i < kRecords;) {
      if (producer.try_push(numbered(i))) {
        ++i;
      } else {
        patience.wait();
      }
    }
  });
  link::RingConsumer consumer(ring.get());
  Patience patience;
  for (uint64_t i = 0; i < kRecords;) {
    const link::Record* front = consumer.front();
    if (front == nullptr) {
      patience.wait();
      continue;
    }
    ASSERT_EQ(front->words[0].lo, i);
    ASSERT_EQ(front->words[2].hi, ~i);
    ASSERT_EQ(front->channel, static_cast<uint32_t>(i));
    consumer.pop();
    ++i;
  }
  EXPECT_EQ(consumer.front(), nullptr);
}

// The ring may get room between a record that finds it full and the promise after that record.
TEST(Ring, APromiseNeverOvertakesARecordThatIsHeldBack) {
  constexpr int64_t kFlushes = RING_RECORDS / 4;
  const link::ChannelSpec spec{7, "a->b", Time::from_ns(50), Clock(Frequency{100'000'000})};
  TestRing ring(1);
  const std::jthread producer_thread([&](const std::stop_token& stop) {
    link::ChannelSender sender(spec, ring.get());
    Patience patience;
    for (int64_t i = 0; i < kFlushes && !stop.stop_requested(); ++i) {
      for (uint8_t vc = 0; vc < 2; ++vc) sender.send_credit(Time::from_ns(i), vc, 1);
      sender.flush(Time::from_ns(i + 1));
      while (!sender.drain() && !stop.stop_requested()) patience.wait();
    }
  });
  link::ChannelReceiver receiver(spec, ring.get());
  Patience patience;
  while (receiver.received() < 2 * kFlushes) {
    const absl::Status status = receiver.poll();
    ASSERT_TRUE(status.ok()) << status;
    if (receiver.front() == nullptr) patience.wait();
    while (receiver.front() != nullptr) receiver.pop();
  }
}

TEST(Ring, AttachRefusesWhatIsNoRing) {
  TestRing ring(8);
  EXPECT_TRUE(link::attach_ring(ring.get(), link::ring_bytes(8)).ok());
  EXPECT_FALSE(link::attach_ring(ring.get(), link::ring_bytes(8) - 1).ok())
      << "claims more slots than the memory holds";
  EXPECT_FALSE(link::attach_ring(ring.get(), 16).ok());
  ring.get()->slots = 7;
  EXPECT_FALSE(link::attach_ring(ring.get(), link::ring_bytes(8)).ok()) << "not a power of two";
  ring.get()->slots = 8;
  ring.get()->magic = 1;
  EXPECT_FALSE(link::attach_ring(ring.get(), link::ring_bytes(8)).ok());
}

}  // namespace
}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/queues/set_aside.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <vector>

namespace fabrictwin::congestion {
namespace {

using Kind = SetAsideMessage::Kind;

experiment::QueuesSpec spec_of(int32_t count, int32_t detect, int32_t stop, int32_t resume) {
  experiment::QueuesSpec spec;
  spec.scheme = v1::Queues::FBICM;
  spec.count = count;
  spec.detect = detect;
  spec.stop = stop;
  spec.resume = resume;
  return spec;
}

TEST(SetAsideTest, ALongColdQueueSetsTheDestinationOfItsFrontAside) {
  SetAsideQueues queues(spec_of(2, 8, 4, 2), 2, 2);
  EXPECT_FALSE(queues.wants(0, 27, 1, 7));
  EXPECT_EQ(queues.set_aside(0, 27, 1, 7), SetAsideQueues::kCold);
  EXPECT_TRUE(queues.wants(0, 27, 1, 8));
  EXPECT_EQ(queues.set_aside(0, 27, 1, 8), 1);
  queues.entered(0, 1);
  // From now on all its packets follow, however short the cold queue is; those of another input do not.
  EXPECT_EQ(queues.set_aside(0, 27, 1, 1), 1);
  EXPECT_EQ(queues.set_aside(1, 27, 1, 1), SetAsideQueues::kCold);
  queues.left(0, 1);
  EXPECT_EQ(queues.in_use(), 0);
  EXPECT_TRUE(queues.outbox().empty());
}

TEST(SetAsideTest, NoMoreQueuesThanThereAre) {
  SetAsideQueues queues(spec_of(1, 2, 4, 2), 1, 1);
  EXPECT_EQ(queues.set_aside(0, 5, 0, 2), 1);
  queues.entered(0, 1);
  EXPECT_EQ(queues.set_aside(0, 6, 0, 9), SetAsideQueues::kCold);
  queues.left(0, 1);
  EXPECT_EQ(queues.set_aside(0, 6, 0, 9), 1);
}

TEST(SetAsideTest, ALongQueueStopsTheElementBeforeAndOneThatIsEmptyWaitsForItsRelease) {
  SetAsideQueues queues(spec_of(2, 1, 2, 1), 1, 1);
  queues.set_aside(0, 27, 0, 1);
  queues.entered(0, 1);
  EXPECT_TRUE(queues.outbox().empty());
  queues.entered(0, 1);
  ASSERT_EQ(queues.outbox().size(), 1U);
  EXPECT_EQ(queues.outbox()[0].kind, Kind::kStop);
  EXPECT_EQ(queues.outbox()[0].destination, 27);
  queues.outbox().clear();
  queues.left(0, 1);
  ASSERT_EQ(queues.outbox().size(), 1U);
  EXPECT_EQ(queues.outbox()[0].kind, Kind::kResume);
  queues.left(0, 1);
  EXPECT_EQ(queues.in_use(), 1);
  queues.receive({Kind::kReleased, 0, 27, 1});
  EXPECT_EQ(queues.in_use(), 0);
}

TEST(SetAsideTest, AReleaseThatHasCrossedAStopCountsForNothing) {
  SetAsideQueues queues(spec_of(2, 1, 1, 0), 1, 1);
  queues.set_aside(0, 27, 0, 1);
  queues.entered(0, 1);
  queues.left(0, 1);
  queues.entered(0, 1);
  queues.left(0, 1);
  queues.receive({Kind::kReleased, 0, 27, 1});
  EXPECT_EQ(queues.in_use(), 1);
  queues.receive({Kind::kReleased, 0, 27, 2});
  EXPECT_EQ(queues.in_use(), 0);
}

TEST(SetAsideTest, WhoIsStoppedSetsAsideAndAnswersOnceAllOfItHasGone) {
  SetAsideQueues queues(spec_of(2, 8, 4, 2), 1, 2);
  queues.receive({Kind::kStop, 1, 27, 3});
  EXPECT_TRUE(queues.stopped(1, 27));
  EXPECT_FALSE(queues.stopped(0, 27));
  EXPECT_EQ(queues.set_aside(0, 27, 1, 1), 1);
  queues.entered(0, 1);
  queues.receive({Kind::kResume, 1, 27, 3});
  EXPECT_FALSE(queues.stopped(1, 27));
  EXPECT_TRUE(queues.outbox().empty());
  queues.left(0, 1);
  ASSERT_EQ(queues.outbox().size(), 1U);
  EXPECT_EQ(queues.outbox()[0].kind, Kind::kReleased);
  EXPECT_EQ(queues.outbox()[0].port, 1);
  EXPECT_EQ(queues.outbox()[0].stops, 3U);
  EXPECT_EQ(queues.branches(), 0);
}

TEST(SetAsideTest, AHostAnswersAtOnce) {
  SetAsideQueues host(spec_of(2, 8, 4, 2), 0, 1);
  host.receive({Kind::kStop, 0, 27, 1});
  EXPECT_TRUE(host.stopped(0, 27));
  host.receive({Kind::kResume, 0, 27, 1});
  ASSERT_EQ(host.outbox().size(), 1U);
  EXPECT_EQ(host.outbox()[0].kind, Kind::kReleased);
}

/// A host and routers in a row, each with one input and one output; messages take some steps.
class Row {
 public:
  Row(const experiment::QueuesSpec& spec, int32_t routers) : spec_(spec) {
    elements_.reserve(static_cast<size_t>(routers) + 1);
    elements_.emplace_back(spec, 0, 1);
    for (int32_t r = 0; r < routers; ++r) elements_.emplace_back(spec, 1, 1);
    held_.resize(elements_.size());
    for (auto& held : held_) held.resize(static_cast<size_t>(spec.count) + 1);
  }
  size_t size() const { return elements_.size(); }

  /// A packet enters the first router, unless the host has been stopped.
  void inject(int32_t destination) {
    if (elements_.size() > 1 && !elements_[0].stopped(0, destination)) held_[1][0].push_back(destination);
  }
  /// Tries to move the front of one queue of a router on.
  void move(size_t router, size_t queue) {
    SetAsideQueues& here = elements_[router];
    auto& packets = held_[router][queue];
    if (packets.empty()) return;
    const int32_t destination = packets.front();
    if (queue == 0) {
      const int32_t to = here.set_aside(0, destination, 0, static_cast<int32_t>(packets.size()));
      if (to != SetAsideQueues::kCold) {
        held_[router][static_cast<size_t>(to)].push_back(destination);
        packets.pop_front();
        here.entered(0, to);
        return send(router);
      }
    } else {
      if (here.stopped(0, destination)) return;
      RC_ASSERT(here.find(0, destination) == static_cast<int32_t>(queue));
    }
    packets.pop_front();
    if (queue != 0) here.left(0, static_cast<int32_t>(queue));
    send(router);
    if (router + 1 < size()) held_[router + 1][0].push_back(destination);
  }
  /// The oldest message of a link arrives.
  void deliver(size_t which) {
    if (messages_.empty()) return;
    // Messages of a link keep their order.
    const auto link = messages_[which % messages_.size()].link;
    const auto first = std::ranges::find_if(messages_, [&](const Message& m) { return m.link == link; });
    const Message message = *first;
    messages_.erase(first);
    elements_[message.to].receive(message.content);
    send(message.to);
  }
  void drain() {
    for (bool moved = true; moved;) {
      moved = !messages_.empty();
      while (!messages_.empty()) deliver(0);
      for (size_t router = size() - 1; router > 0; --router) {
        for (size_t queue = 0; queue < held_[router].size(); ++queue) {
          const size_t before = held_[router][queue].size();
          move(router, queue);
          moved = moved || held_[router][queue].size() != before;
        }
      }
    }
  }
  void check_empty() const {
    for (size_t e = 0; e < size(); ++e) {
      RC_ASSERT(elements_[e].in_use() == 0);
      RC_ASSERT(elements_[e].branches() == 0);
      for (const auto& queue : held_[e]) RC_ASSERT(queue.empty());
    }
  }

 private:
  struct Message {
    size_t link = 0;  ///< Twice the number of its upstream end, and one more on the way downstream.
    size_t to = 0;
    SetAsideMessage content;
  };
  void send(size_t from) {
    for (const SetAsideMessage& message : elements_[from].outbox()) {
      const bool down = message.kind == Kind::kReleased;
      RC_ASSERT(!down || from + 1 < size());
      messages_.push_back({down ? 2 * from + 1 : 2 * (from - 1), down ? from + 1 : from - 1, message});
    }
    elements_[from].outbox().clear();
  }

  experiment::QueuesSpec spec_;
  std::vector<SetAsideQueues> elements_;
  std::vector<std::vector<std::deque<int32_t>>> held_;  ///< By element and queue: destinations of packets.
  std::vector<Message> messages_;
};

RC_GTEST_PROP(SetAsideProperty, AllIsReleasedOnceAllPacketsHaveGone, ()) {
  const auto stop = *rc::gen::inRange(1, 5);
  Row row(spec_of(*rc::gen::inRange(1, 4), *rc::gen::inRange(1, 5), stop, *rc::gen::inRange(0, stop)),
          *rc::gen::inRange(1, 5));
  const auto steps = *rc::gen::inRange(0, 400);
  for (int step = 0; step < steps; ++step) {
    const auto choice = *rc::gen::inRange(0, 4);
    if (choice == 0) {
      row.inject(*rc::gen::inRange(0, 5));
    } else if (choice == 1) {
      row.deliver(*rc::gen::inRange<size_t>(0, 8));
    } else {
      row.move(*rc::gen::inRange<size_t>(1, row.size()), *rc::gen::inRange<size_t>(0, 2));
    }
  }
  row.drain();
  row.check_empty();
}

}  // namespace
}  // namespace fabrictwin::congestion

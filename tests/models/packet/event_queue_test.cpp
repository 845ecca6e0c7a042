// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/packet/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

// Against a sorted map: events are added between takes, near and far, many at one time.
RC_GTEST_PROP(EventQueueTest, GivesAllEventsInTheOrderOfTime, ()) {
  EventQueue queue(*rc::gen::inRange(10, 25));
  std::map<int64_t, std::vector<uint32_t>> expected;
  int64_t now = 0;
  uint32_t id = 0;
  const auto add = [&](int64_t time) {
    queue.add(time, 5, id);
    expected[time].push_back(id++);
  };
  for (int round = *rc::gen::inRange(1, 60); round > 0; --round) {
    const int32_t count = *rc::gen::element(0, 1, 3, 400);
    const auto reach = *rc::gen::element<int64_t>(1, 1'000, 1'000'000, 3'000'000'000, int64_t{1} << 45);
    const bool same = *rc::gen::arbitrary<bool>();
    int64_t time = now + *rc::gen::inRange<int64_t>(0, reach);
    for (int32_t i = 0; i < count; ++i) {
      add(time);
      if (!same)
        time = now +
               static_cast<int64_t>(static_cast<uint64_t>(time) * 6364136223846793005u % static_cast<uint64_t>(reach));
    }
    if (expected.empty()) continue;
    RC_ASSERT(queue.next_time() == expected.begin()->first);
    // Something earlier than what was announced still comes first.
    if (*rc::gen::arbitrary<bool>()) add(now);
    std::vector<uint32_t> ids;
    now = queue.next_time();
    for (const EventEntry event : queue.take()) {
      RC_ASSERT(event.kind() == 5u);
      ids.push_back(event.id());
    }
    std::sort(ids.begin(), ids.end());
    RC_ASSERT(now == expected.begin()->first);
    RC_ASSERT(ids == expected.begin()->second);
    expected.erase(expected.begin());
  }
  while (!expected.empty()) {
    RC_ASSERT(queue.next_time() == expected.begin()->first);
    RC_ASSERT(queue.take().size() == expected.begin()->second.size());
    expected.erase(expected.begin());
  }
  RC_ASSERT(queue.next_time() == EventQueue::kNever);
}

}  // namespace
}  // namespace fabrictwin

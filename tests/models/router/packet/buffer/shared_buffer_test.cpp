// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/packet/buffer/shared_buffer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <vector>

namespace fabrictwin::router::packet::buffer {
namespace {

using Signal = SharedBuffer::Signal;

constexpr int64_t k100G = 100'000'000'000;
constexpr int64_t kMicrosecond = 1'000'000'000;

SharedBufferSpec small_buffer() {
  return {.buffer = 400'000, .reserve = 4'000, .headroom = 50'000, .share = 0.125, .resume_offset = 3'000};
}

TEST(SharedBuffer, SharesWhatReservesAndHeadroomsLeave) {
  const SharedBuffer buffer(small_buffer(), {{k100G, kMicrosecond}, {k100G, kMicrosecond}}, k100G, 1048);
  EXPECT_EQ(buffer.shared(), 400'000 - 2 * 54'000);
  const SharedBuffer too_many(small_buffer(), std::vector<SharedBuffer::Link>(8, {k100G, kMicrosecond}), k100G, 1048);
  EXPECT_LT(too_many.shared(), 0);
}

TEST(SharedBuffer, HeadroomFollowsFromTheLink) {
  SharedBufferSpec spec = small_buffer();
  spec.headroom = 0;
  // In 1 us, 100 Gbit/s are 12500 bytes.
  const SharedBuffer buffer(spec, {{k100G, kMicrosecond}, {k100G, 1'000'000}}, k100G, 1048);
  EXPECT_EQ(buffer.headroom(0), 37'500);
  EXPECT_EQ(buffer.headroom(1), SharedBuffer::least_headroom({k100G, 1'000'000}, 1048));
  EXPECT_EQ(SharedBuffer::least_headroom({k100G, kMicrosecond}, 1048), 25'000 + 3 * 1048 + 64);
}

TEST(SharedBuffer, PausesAtItsShareAndResumesBelowIt) {
  SharedBuffer buffer(small_buffer(), {{k100G, kMicrosecond}, {k100G, kMicrosecond}}, k100G, 1048);
  // With one input, x bytes of 292000 are at their share of what remains at x = (292000 - x) / 8.
  int64_t stored = 0;
  Signal signal = Signal::kNone;
  while (signal == Signal::kNone) {
    signal = buffer.add(0, 1000);
    stored += 1000;
    ASSERT_LT(stored, 100'000);
  }
  EXPECT_EQ(signal, Signal::kPause);
  EXPECT_EQ(buffer.stored(0), stored);
  EXPECT_NEAR(static_cast<double>(stored - 4'000), 292'000 / 9.0, 1000);
  EXPECT_EQ(buffer.add(0, 1000), Signal::kNone) << "it has been told already";
  EXPECT_EQ(buffer.add(1, 1000), Signal::kNone) << "the other input has its own share";
  int removed = 0;
  while (buffer.remove(0, 1000) == Signal::kNone) ++removed;
  // What went to the headroom, and the offset of 3000 bytes, come first.
  EXPECT_GE(removed, 3);
  EXPECT_LE(removed, 6);
}

TEST(SharedBuffer, FasterLinksHaveALargerShare) {
  SharedBufferSpec spec = small_buffer();
  spec.headroom = 120'000;
  spec.buffer = 1'000'000;
  SharedBuffer buffer(spec, {{k100G, kMicrosecond}, {4 * k100G, kMicrosecond}}, k100G, 1048);
  const auto until_pause = [&buffer](size_t input) {
    int64_t stored = 1000;
    while (buffer.add(input, 1000) == Signal::kNone) stored += 1000;
    for (int64_t left = stored; left > 0; left -= 1000) buffer.remove(input, 1000);
    return stored - 4'000;
  };
  const double shared = 1'000'000 - 2 * 124'000;
  EXPECT_NEAR(static_cast<double>(until_pause(0)), shared / 9, 1000);
  EXPECT_NEAR(static_cast<double>(until_pause(1)), shared / 3, 1000) << "half of what is free";
}

TEST(SharedBuffer, TellsWhenSendersDoNotPause) {
  SharedBuffer buffer(small_buffer(), {{k100G, kMicrosecond}}, k100G, 1048);
  while (buffer.add(0, 1000) != Signal::kPause) ASSERT_FALSE(buffer.overflown());
  for (int i = 0; i < 49; ++i) buffer.add(0, 1000);
  EXPECT_FALSE(buffer.overflown());
  for (int i = 0; i < 2; ++i) buffer.add(0, 1000);
  EXPECT_TRUE(buffer.overflown());
}

// Whatever comes and goes: what an input has stored is what it was given and has not left, a pause is followed by one
// resumption, and an empty switch has told everybody to go on.
RC_GTEST_PROP(SharedBufferProperty, CountsAndSignalsAreConsistent, (const std::vector<uint16_t>& events)) {
  SharedBuffer buffer(small_buffer(), {{k100G, kMicrosecond}, {k100G, kMicrosecond}, {k100G, kMicrosecond}}, k100G,
                      1048);
  std::vector<std::deque<int64_t>> stored(3);
  std::vector<bool> paused(3);
  const auto hear = [&](size_t input, Signal signal) {
    if (signal == Signal::kNone) return;
    RC_ASSERT((signal == Signal::kPause) != paused[input]);
    paused[input] = signal == Signal::kPause;
  };
  const auto drop = [&](size_t input) {
    const int64_t bytes = stored[input].front();
    stored[input].pop_front();
    hear(input, buffer.remove(input, bytes));
  };
  for (const uint16_t event : events) {
    const size_t input = event % 3;
    if (event % 5 == 0 && !stored[input].empty()) {
      drop(input);
    } else if (!paused[input]) {
      const int64_t bytes = 64 + event % 1000;
      stored[input].push_back(bytes);
      hear(input, buffer.add(input, bytes));
    }
    RC_ASSERT(!buffer.overflown());
    int64_t all = 0;
    for (const int64_t bytes : stored[input]) all += bytes;
    RC_ASSERT(buffer.stored(input) == all);
  }
  for (size_t input = 0; input < 3; ++input) {
    while (!stored[input].empty()) drop(input);
    RC_ASSERT(buffer.stored(input) == 0);
    RC_ASSERT(!paused[input]);
  }
}

}  // namespace
}  // namespace fabrictwin::router::packet::buffer

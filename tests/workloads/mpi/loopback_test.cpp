// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/loopback.h"

#include <gtest/gtest.h>

#include <optional>

namespace fabrictwin {
namespace {

nic::IncomingMessage message_of(int32_t source, uint64_t bytes) {
  nic::IncomingMessage message;
  message.source = source;
  message.envelope.bytes = bytes;
  return message;
}

std::optional<mpi::Loopback::Event> take(mpi::Loopback& loopback, Time now) {
  mpi::Loopback::Event event;
  if (!loopback.take(now, event)) return std::nullopt;
  return event;
}

TEST(Loopback, TakesLatencyAndCopy) {
  mpi::Loopback loopback(Time::from_ns(100), mpi::protocol::CopyCost::of_rate(Bandwidth{8'000'000'000}), 2);
  EXPECT_TRUE(loopback.next().is_never());
  EXPECT_TRUE(loopback.send(Time::from_ns(10), 0, 1, message_of(7, 50), 3));
  EXPECT_EQ(loopback.next(), Time::from_ns(60));
  EXPECT_FALSE(take(loopback, Time::from_ns(59)).has_value());
  const auto left = take(loopback, Time::from_ns(60));
  ASSERT_TRUE(left.has_value());
  EXPECT_FALSE(left->arrives);
  EXPECT_EQ(left->slot, 0);
  EXPECT_EQ(left->cookie, 3u);
  EXPECT_EQ(loopback.next(), Time::from_ns(160));
  const auto arrived = take(loopback, Time::from_ns(160));
  ASSERT_TRUE(arrived.has_value());
  EXPECT_TRUE(arrived->arrives);
  EXPECT_EQ(arrived->slot, 1);
  EXPECT_EQ(arrived->message.source, 7);
  EXPECT_TRUE(loopback.next().is_never());
}

TEST(Loopback, ASenderKeepsItsOrder) {
  mpi::Loopback loopback(Time::from_ns(100), mpi::protocol::CopyCost::of_rate(Bandwidth{8'000'000'000}), 3);
  EXPECT_TRUE(loopback.send(Time::zero(), 0, 2, message_of(0, 1000), 0));
  EXPECT_TRUE(loopback.send(Time::zero(), 0, 2, message_of(0, 1), 0));
  EXPECT_TRUE(loopback.send(Time::zero(), 1, 2, message_of(1, 10), 0));
  const Time end = Time::from_us(10);
  EXPECT_EQ(take(loopback, end)->message.envelope.bytes, 10u) << "another core copies it";
  EXPECT_EQ(take(loopback, end)->message.envelope.bytes, 1000u);
  const auto last = take(loopback, end);
  EXPECT_EQ(last->message.envelope.bytes, 1u);
  EXPECT_EQ(last->time, Time::from_ns(1101));
}

// A bit a second: 1000 bytes take 8000 s, and simulated time ends at about 9223 s.
TEST(Loopback, RefusesWhatWouldComeAfterTheEndOfTime) {
  mpi::Loopback loopback(Time::from_ns(100), mpi::protocol::CopyCost::of_rate(Bandwidth{1}), 2);
  EXPECT_TRUE(loopback.send(Time::zero(), 0, 1, message_of(0, 1000), 1));
  EXPECT_FALSE(loopback.send(Time::zero(), 0, 1, message_of(0, 1000), 2));
  EXPECT_TRUE(loopback.send(Time::zero(), 1, 0, message_of(1, 1000), 3));
}

TEST(Loopback, WhatSharesATimeComesAsItWasSent) {
  mpi::Loopback loopback(Time::zero(), mpi::protocol::CopyCost(), 2);
  for (uint64_t i = 0; i < 20; ++i) EXPECT_TRUE(loopback.send(Time::zero(), 0, 1, message_of(0, i), 0));
  for (uint64_t i = 0; i < 20; ++i) EXPECT_EQ(take(loopback, Time::zero())->message.envelope.bytes, i);
}

}  // namespace
}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/ip/stack.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fabrictwin::host::ip {
namespace {

/// Two hosts, and a network that takes a fixed time for each packet and carries one after the other.
class Pair {
 public:
  struct Seen {
    Time at;
    std::string what;
    Datagram datagram;
  };

  explicit Pair(const Costs& costs, Time flight = Time::from_us(5))
      : flight_(flight), ends_{End(*this, 0, costs), End(*this, 1, costs)} {}

  Stack& stack(int host) { return ends_[static_cast<size_t>(host)].stack; }
  Time now() const { return now_; }
  const std::vector<Seen>& seen() const { return seen_; }
  uint64_t count(const std::string& what) const {
    return static_cast<uint64_t>(
        std::count_if(seen_.begin(), seen_.end(), [&](const Seen& seen) { return seen.what == what; }));
  }
  const Seen& last(const std::string& what) const {
    return *std::find_if(seen_.rbegin(), seen_.rend(), [&](const Seen& seen) { return seen.what == what; });
  }
  int64_t most_on_the_way() const { return most_on_the_way_; }

  /// What a program does when its call has returned; by default nothing.
  std::function<void(int host, uint32_t flow)> on_sent = [](int, uint32_t) {};
  std::function<void(int host, const Datagram&)> on_received = [](int, const Datagram&) {};

  /// Runs until nothing happens any more.
  void run() {
    for (End& end : ends_) end.stack.set_time(now_);
    for (End& end : ends_) end.stack.run();
    while (true) {
      Time next = std::min(ends_[0].stack.next(), ends_[1].stack.next());
      for (const End& end : ends_) next = std::min(next, end.line.empty() ? Time::never() : end.line.front().first);
      if (next.is_never()) return;
      now_ = next;
      for (size_t i = 0; i < 2; ++i) step(ends_[i], ends_[1 - i]);
    }
  }

 private:
  struct End final : Stack::Owner {
    End(Pair& owner, int number, const Costs& costs) : pair(owner), host(number), stack(costs, *this) {}
    void transmit(const Packet& packet) override {
      const Time free = line.empty() ? pair.now_ : line.back().first;
      line.emplace_back(std::max(free, pair.now_) + pair.flight_, packet);
      pair.most_on_the_way_ = std::max(pair.most_on_the_way_, static_cast<int64_t>(line.size()));
    }
    void sent(uint32_t flow) override {
      pair.seen_.push_back({pair.now_, "sent", {.flow = flow}});
      pair.on_sent(host, flow);
    }
    void received(const Datagram& datagram) override {
      pair.seen_.push_back({pair.now_, "received", datagram});
      pair.on_received(host, datagram);
    }
    void dropped(const Datagram& datagram) override { pair.seen_.push_back({pair.now_, "dropped", datagram}); }
    void replied(const Datagram& request) override { pair.seen_.push_back({pair.now_, "replied", request}); }
    void slept(uint32_t flow) override { pair.seen_.push_back({pair.now_, "slept", {.flow = flow}}); }

    Pair& pair;
    int host;
    Stack stack;
    std::deque<std::pair<Time, Packet>> line;
  };

  // What comes, then what is due, as hosts do it.
  void step(End& end, End& other) {
    end.stack.set_time(now_);
    other.stack.set_time(now_);
    while (!end.line.empty() && end.line.front().first <= now_) {
      other.stack.arrived(end.line.front().second);
      end.stack.transferred();
      end.line.pop_front();
    }
    end.stack.run();
    other.stack.run();
  }

  Time now_;
  Time flight_;
  std::array<End, 2> ends_;
  std::vector<Seen> seen_;
  int64_t most_on_the_way_ = 0;
};

constexpr Costs kCosts = {
    .passage = Time::from_us(6), .copy_rate = {8'000'000'000}, .wake_up = Time::from_us(9), .socket_buffer = 65536};

Datagram from(int host, Kind kind, int32_t bytes, uint64_t number = 0) {
  return {.kind = kind, .number = number, .bytes = bytes, .source = host, .destination = 1 - host};
}

Time ns(int64_t time) { return Time::from_ns(time); }

// Copies are a nanosecond a byte. Six passages, five threads that sleep, two flights.
TEST(IpStack, ARoundTripIsTheSumOfItsParts) {
  Pair pair(kCosts);
  pair.stack(0).open(0, {});
  pair.stack(0).send(from(0, Kind::kEchoRequest, 56));
  pair.on_sent = [&](int, uint32_t) { pair.stack(0).receive(0); };
  pair.run();
  ASSERT_EQ(pair.count("received"), 1u);
  EXPECT_EQ(pair.last("received").datagram, from(1, Kind::kEchoReply, 56));
  EXPECT_EQ(pair.last("received").at, ns(6 * 6000 + 5 * 9000 + 2 * 5000 + 2 * 56 + 4 * 84));
  EXPECT_EQ(pair.count("replied"), 1u);
}

TEST(IpStack, WhoPollsIsNotWokenByArrivals) {
  Costs costs = kCosts;
  costs.polls = true;
  Pair pair(costs);
  pair.stack(0).open(0, {});
  pair.stack(0).send(from(0, Kind::kEchoRequest, 0));
  pair.on_sent = [&](int, uint32_t) { pair.stack(0).receive(0); };
  pair.run();
  EXPECT_EQ(pair.last("received").at, ns(6 * 6000 + 3 * 9000 + 2 * 5000 + 4 * 28));
}

/// Sends `count` datagrams as fast as the calls return, to a program that reads all.
void stream(Pair& pair, Kind kind, int32_t bytes, uint64_t count, const SocketOptions& options = {}) {
  pair.stack(0).open(0, options);
  pair.stack(1).open(0, options);
  pair.stack(1).receive(0);
  uint64_t sent = 0;
  const auto send = [&] {
    Datagram datagram = from(0, kind, bytes, sent);
    datagram.last = ++sent == count;
    pair.stack(0).send(datagram);
  };
  pair.on_sent = [&](int, uint32_t) {
    if (sent < count) send();
  };
  pair.on_received = [&](int, const Datagram&) { pair.stack(1).receive(0); };
  send();
  pair.run();
}

// The reader hands over one packet after the other: passage, copy and flight for each.
TEST(IpStack, TheReaderLimitsAStream) {
  Costs costs = kCosts;
  costs.wake_up = ns(1000);
  Pair pair(costs);
  stream(pair, Kind::kUdp, 4000, 100);
  ASSERT_EQ(pair.count("received"), 100u);
  EXPECT_EQ(pair.most_on_the_way(), 1);
  const Time each = ns(6000 + 4028 + 5000);
  const Time first = ns(6000 + 4000 + 1000);
  const Time rest = ns(1000 + 6000 + 4028 + 1000 + 6000 + 4000);
  EXPECT_EQ(pair.last("received").at, first + Time::from_fs(100 * each.fs()) + rest);
}

TEST(IpStack, MoreTransfersOverlap) {
  Costs costs = kCosts;
  costs.transfers = 4;
  const Time flight = Time::from_us(30);
  Pair one(kCosts, flight);
  Pair four(costs, flight);
  stream(one, Kind::kUdp, 4000, 100);
  stream(four, Kind::kUdp, 4000, 100);
  EXPECT_LT(four.now(), one.now());
  EXPECT_GT(four.most_on_the_way(), 1);
  EXPECT_LE(four.most_on_the_way(), 4);
}

TEST(IpStack, FragmentsOfADatagramAreReadAtOnce) {
  Costs costs = kCosts;
  costs.mtu = 1500;
  Pair pair(costs);
  stream(pair, Kind::kUdp, 4000, 3);
  ASSERT_EQ(pair.count("received"), 3u);
  EXPECT_EQ(pair.last("received").datagram.bytes, 4000);
}

// A socket takes one datagram even if it is larger than its buffer.
TEST(IpStack, ASlowReaderLosesDatagramsAndNotSegments) {
  Costs costs = kCosts;
  costs.socket_buffer = 8192;
  costs.transfers = 8;
  for (const bool windowed : {false, true}) {
    Pair pair(costs, Time::from_ns(1));
    pair.stack(0).open(0, {.window = windowed ? 8192 : 0});
    pair.stack(1).open(0, {.window = windowed ? 8192 : 0});
    uint64_t sent = 0;
    const auto send = [&] {
      Datagram datagram = from(0, windowed ? Kind::kSegment : Kind::kUdp, 4096, sent);
      datagram.last = ++sent == 50;
      pair.stack(0).send(datagram);
    };
    pair.on_sent = [&](int, uint32_t) {
      if (sent < 50) send();
    };
    pair.stack(1).receive(0);
    // It looks at its socket ten times later than it could.
    pair.on_received = [&](int, const Datagram&) { pair.stack(1).sleep(0, pair.now() + Time::from_us(100)); };
    send();
    while (pair.count("received") + pair.count("dropped") < 50) {
      pair.run();
      if (pair.count("received") + pair.count("dropped") < 50) pair.stack(1).receive(0);
    }
    EXPECT_EQ(pair.count("dropped") > 0, !windowed);
  }
}

RC_GTEST_PROP(IpStack, SegmentsAllArriveInOrderWhateverTheWindow, ()) {
  Costs costs = kCosts;
  costs.mtu = *rc::gen::inRange(kLeastMtu, kMostMtu + 1);
  costs.transfers = *rc::gen::inRange(1, 9);
  costs.polls = *rc::gen::arbitrary<bool>();
  costs.passage = Time::from_ns(*rc::gen::inRange(0, 3) * 700);
  costs.wake_up = Time::from_ns(*rc::gen::inRange(0, 3) * 900);
  const int32_t segment = *rc::gen::inRange(1, costs.mtu - kIpHeader - kTcpHeader + 1);
  const int32_t windows = *rc::gen::inRange(1, 12);
  const uint64_t count = *rc::gen::inRange<uint64_t>(1, 60);
  costs.socket_buffer = int64_t{segment} * windows + *rc::gen::inRange(0, 100);
  const Time flight = Time::from_ns(*rc::gen::inRange(1, 20000));
  Pair pair(costs, flight);
  stream(pair, Kind::kSegment, segment, count,
         {.window = int64_t{segment} * windows, .segments_for_acknowledgement = windows > 1 ? 2 : 1});
  RC_ASSERT(pair.count("received") == count);
  RC_ASSERT(pair.count("dropped") == 0u);
  RC_ASSERT(pair.stack(0).acknowledged(0) == static_cast<int64_t>(count) * segment);
  RC_ASSERT(pair.stack(0).idle());
  RC_ASSERT(pair.most_on_the_way() <= costs.transfers);
  uint64_t number = 0;
  for (const Pair::Seen& seen : pair.seen()) {
    if (seen.what == "received") RC_ASSERT(seen.datagram.number == number++);
  }
}

TEST(IpStack, WhatNobodyWaitsForIsDropped) {
  Pair pair(kCosts);
  pair.stack(0).open(0, {});
  pair.stack(0).send(from(0, Kind::kUdp, 100));
  pair.run();
  EXPECT_EQ(pair.count("dropped"), 1u);
}

}  // namespace
}  // namespace fabrictwin::host::ip

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Models of Allreduce accelerators joined by a network of the test's: results, and what they do about ranks that are
// missing, differ or are unknown.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "models/nic/exanet/allreduce/unit.h"

namespace fabrictwin::nic::exanet::allreduce {
namespace {

constexpr Time kWire = Time::from_ns(200);
constexpr ReduceOperation kSum = ReduceOperation::kSum;
constexpr ReduceType kFloat = ReduceType::kFloat;

struct Ended {
  Code code;
  int32_t culprit;
  std::vector<std::byte> vector;
};

class Accelerators {
 public:
  explicit Accelerators(int32_t ranks) {
    for (int32_t rank = 0; rank < ranks; ++rank) places_.push_back(std::make_unique<Place>(*this, rank));
  }

  void configure(uint32_t timeout = 0) {
    Group group{.timeout = timeout};
    for (int32_t rank = 0; rank < ranks(); ++rank) group.nodes.push_back(static_cast<Node>(rank));
    for (group.rank = 0; group.rank < ranks(); ++group.rank) at(group.rank).unit.configure(group);
  }
  void start(int32_t rank, uint64_t key, size_t bytes, ReduceOperation operation = kSum, ReduceType type = kFloat) {
    std::vector<std::byte> vector(bytes);
    make_operand(type, key, rank, 0, vector);
    Place& place = at(rank);
    place.context.set_now(now_);
    place.unit.start(operation, type, vector);
  }
  /// Runs until nothing happens any more, or until `end`.
  void run(Time end = Time::never()) {
    while (true) {
      Time next = wires_.empty() ? Time::never() : wires_.begin()->first;
      for (const auto& place : places_) next = std::min(next, place->context.next_event());
      if (next.is_never() || next > end) break;
      now_ = next;
      deliver();
      for (const auto& place : places_) {
        place->context.set_now(now_);
        place->context.run_events();
      }
    }
    if (!end.is_never()) now_ = end;
  }

  int32_t ranks() const { return static_cast<int32_t>(places_.size()); }
  const std::vector<Ended>& ended(int32_t rank) const { return places_[static_cast<size_t>(rank)]->ended; }
  const Unit& unit(int32_t rank) const { return places_[static_cast<size_t>(rank)]->unit; }
  Time now() const { return now_; }

  std::function<void(Words& packet, int& copies)> damage;

 private:
  struct Place : Client {
    Place(Accelerators& all, int32_t rank) : context({}, {.tile_bits = 2, .x_bits = 3}, static_cast<Node>(rank), 1) {
      context.transmit = [&all](Stream, const Words& words) { all.transmit(words); };
      unit.bind_client(this);
    }
    void reduced(const Result& result) override {
      ended.push_back({result.code, result.culprit, {result.vector.begin(), result.vector.end()}});
    }
    Context context;
    Unit unit{context};
    std::vector<Ended> ended;
  };

  Place& at(int32_t rank) { return *places_[static_cast<size_t>(rank)]; }
  void transmit(const Words& words) {
    Words packet = words;
    int copies = 1;
    if (damage) damage(packet, copies);
    for (int i = 0; i < copies; ++i) wires_.emplace(now_ + kWire, packet);
  }
  void deliver() {
    while (!wires_.empty() && wires_.begin()->first <= now_) {
      const Words packet = wires_.begin()->second;
      wires_.erase(wires_.begin());
      const auto destination = static_cast<int32_t>(packet.header().destination);
      if (destination >= ranks()) continue;
      at(destination).context.set_now(now_);
      at(destination).unit.arrived(packet);
    }
  }

  std::vector<std::unique_ptr<Place>> places_;
  std::multimap<Time, Words> wires_;
  Time now_;
};

bool right(const Accelerators& all, int32_t rank, size_t call, uint64_t key) {
  const Ended& ended = all.ended(rank)[call];
  std::vector<std::byte> expected(ended.vector.size());
  make_reduced(kSum, kFloat, key, all.ranks(), 0, expected);
  return ended.code == Code::kDone && ended.vector == expected;
}

TEST(AllreduceModel, ReducesOverAnyNumberOfBoards) {
  for (const int32_t ranks : {4, 8, 16, 64}) {
    Accelerators all(ranks);
    all.configure();
    for (uint64_t call = 0; call < 5; ++call) {
      for (int32_t rank = 0; rank < ranks; ++rank) all.start(rank, call, 4 + 60 * call);
      all.run();
    }
    for (int32_t rank = 0; rank < ranks; ++rank) {
      ASSERT_EQ(all.ended(rank).size(), 5U);
      for (uint64_t call = 0; call < 5; ++call) EXPECT_TRUE(right(all, rank, call, call)) << rank << " " << call;
    }
  }
}

// All 256 boards, whose tables and exchanges reach rank 1023.
TEST(AllreduceModel, ReducesOverTheMostRanks) {
  constexpr int32_t kMost = 1024;
  Accelerators all(kMost);
  all.configure(2000);
  std::vector<std::byte> expected(8);
  make_reduced(kSum, kFloat, 1, kMost, 0, expected);
  for (int32_t rank = 0; rank < kMost; ++rank) all.start(rank, 1, expected.size());
  all.run();
  for (int32_t rank = 0; rank < kMost; ++rank) {
    ASSERT_EQ(all.ended(rank).size(), 1U) << rank;
    EXPECT_EQ(all.ended(rank)[0].code, Code::kDone) << rank;
    EXPECT_EQ(all.ended(rank)[0].vector, expected) << rank;
  }
  for (int32_t rank = 0; rank < kMost - 1; ++rank) all.start(rank, 2, expected.size());
  all.run();
  for (int32_t rank = 0; rank < kMost - 1; ++rank) {
    ASSERT_EQ(all.ended(rank).size(), 2U) << rank;
    EXPECT_EQ(all.ended(rank)[1].code, Code::kTimeout) << rank;
    EXPECT_EQ(all.ended(rank)[1].culprit, kMost - 1) << rank;
  }
}

TEST(AllreduceModel, EverybodyLearnsWhichRankIsMissing) {
  for (int32_t missing = 0; missing < 16; ++missing) {
    Accelerators all(16);
    all.configure(2000);
    for (int32_t rank = 0; rank < 16; ++rank) {
      if (rank != missing) all.start(rank, 1, 64);
    }
    all.run(Time::from_us(200));
    all.start(missing, 1, 64);
    all.run(Time::from_us(400));
    for (int32_t rank = 0; rank < 16; ++rank) {
      ASSERT_EQ(all.ended(rank).size(), 1U) << rank << " without " << missing;
      EXPECT_EQ(all.ended(rank)[0].code, Code::kTimeout);
      EXPECT_EQ(all.ended(rank)[0].culprit, missing);
      all.start(rank, 2, 64);
    }
    all.run(Time::from_us(600));
    for (int32_t rank = 0; rank < 16; ++rank) EXPECT_TRUE(right(all, rank, 1, 2)) << rank << " after " << missing;
  }
}

TEST(AllreduceModel, VectorsThatDiffer) {
  for (const int32_t other : {1, 3, 6}) {
    for (int what = 0; what < 3; ++what) {
      Accelerators all(8);
      all.configure();
      for (int32_t rank = 0; rank < 8; ++rank) {
        const bool differs = rank == other;
        all.start(rank, 1, differs && what == 0 ? 32 : 64, differs && what == 1 ? ReduceOperation::kMin : kSum,
                  differs && what == 2 ? ReduceType::kInt32 : kFloat);
      }
      all.run();
      for (int32_t rank = 0; rank < 8; ++rank) {
        ASSERT_EQ(all.ended(rank).size(), 1U);
        EXPECT_EQ(all.ended(rank)[0].code, Code::kMismatch);
        EXPECT_EQ(all.ended(rank)[0].culprit, other);
      }
    }
  }
}

TEST(AllreduceModel, DoubledPacketsCountOnce) {
  Accelerators all(8);
  all.configure();
  all.damage = [](Words&, int& copies) { copies = 2; };
  for (uint64_t call = 0; call < 5; ++call) {
    for (int32_t rank = 0; rank < 8; ++rank) all.start(rank, call, 128);
    all.run();
  }
  for (int32_t rank = 0; rank < 8; ++rank) {
    for (uint64_t call = 0; call < 5; ++call) EXPECT_TRUE(right(all, rank, call, call));
  }
  EXPECT_GT(all.unit(0).stale(), 0U);
}

RC_GTEST_PROP(AllreduceModel, EndsForAnyDamage, ()) {
  std::mt19937 random(*rc::gen::arbitrary<uint32_t>());
  Accelerators all(4 << random() % 3);
  all.configure(1000);
  all.damage = [&random](Words& packet, int& copies) {
    const uint32_t number = random() % 10;
    if (number == 0) copies = 0;
    if (number == 1) copies = 2;
    if (number == 2) packet.words[1 + random() % (packet.count - 1U)].lo ^= uint64_t{1} << random() % 64;
  };
  constexpr uint64_t kCalls = 8;
  for (uint64_t call = 0; call < kCalls; ++call) {
    for (int32_t rank = 0; rank < all.ranks(); ++rank) all.start(rank, call, 64);
    all.run(all.now() + Time::from_us(200));
  }
  for (int32_t rank = 0; rank < all.ranks(); ++rank) {
    RC_ASSERT(all.ended(rank).size() == kCalls);
    for (uint64_t call = 0; call < kCalls; ++call)
      RC_ASSERT(all.ended(rank)[call].code != Code::kDone || right(all, rank, call, call));
  }
}

TEST(AllreducePacket, ComesBackAsItWas) {
  Packet packet{
      .source = 5, .destination = 4, .sequence = 200, .level = 3, .operation = 2, .type = 2, .rank = 1023, .bytes = 16};
  const Words words = packet.encode({.tile_bits = 2, .x_bits = 3});
  const std::optional<Packet> parsed = parse(words);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->sequence, 200);
  EXPECT_EQ(parsed->rank, 1023);
  EXPECT_EQ(parsed->level, 3);
  EXPECT_EQ(parsed->bytes, 16);
  for (size_t word = 0; word < words.count; ++word) {
    Words wrong = words;
    wrong.words[word].hi ^= 1;
    EXPECT_FALSE(parse(wrong).has_value()) << word;
  }
  packet.type = 1;
  packet.bytes = 6;
  EXPECT_FALSE(parse(packet.encode({.tile_bits = 2, .x_bits = 3})).has_value());
}

}  // namespace
}  // namespace fabrictwin::nic::exanet::allreduce

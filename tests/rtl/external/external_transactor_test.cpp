// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The transactor of a user's own router: what it gives at each edge, what it takes, and what it does not take.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rtl/transactor/external/library.h"
#include "rtl/transactor/external/transactor.h"
#include "tests/rtl/one_way_link.h"

namespace fabrictwin {
namespace {

using rtl::external::Input;
using rtl::external::Output;
using testing::HasSubstr;

/// A router whose registers a test writes.
class Scripted final : public rtl::external::Router {
 public:
  using Edge = std::function<void(const Input& in, Output& out)>;
  explicit Scripted(Edge edge) : edge_(std::move(edge)) {}
  void edge(std::span<const Input> in, std::span<Output> out) override { edge_(in[0], out[0]); }
  bool idle() const override { return *resting; }
  std::string failure() const override { return *broken; }

  std::shared_ptr<bool> resting = std::make_shared<bool>(true);
  std::shared_ptr<std::string> broken = std::make_shared<std::string>();

 private:
  Edge edge_;
};

/// One port at a link of 10 Gb/s, whose other end is the test. The clock has 100 MHz.
class ExternalTransactorTest : public testing::Test {
 protected:
  void make(Scripted::Edge edge, int32_t credits = 4, int32_t credit_words = 1) {
    rtl::external::Setup setup{.name = "router[3]", .vcs = 2, .word_bits = 128, .credit_words = credit_words};
    setup.ports = {{"local", true, true, credits}, {"x+", false, false, 0}};
    auto router = std::make_unique<Scripted>(std::move(edge));
    resting = router->resting;
    broken = router->broken;
    auto made = rtl::external::Transactor::create(setup, clock, {{out.sender(), in.receiver(), &counters}, {}},
                                                  std::move(router));
    ASSERT_TRUE(made.ok()) << made.status();
    transactor = *std::move(made);
  }
  void word(int64_t slot, uint8_t flags, uint8_t vc = 0) { in.sender()->send_word(slot, vc, flags, {1, 2}); }
  absl::Status advance(Time until) {
    EXPECT_TRUE(in.flush(until).ok());
    EXPECT_TRUE(in.receiver()->poll().ok());
    absl::Status status = transactor->advance(until);
    out.sender()->flush(until);
    return status;
  }
  std::string error(Time until = Time::from_us(10)) {
    const absl::Status status = advance(until);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    return std::string(status.message());
  }
  const link::Record* received() {
    EXPECT_TRUE(out.receiver()->poll().ok());
    return out.receiver()->front();
  }

  static constexpr uint8_t kWhole = link::kStartOfPacket | link::kEndOfPacket;
  Clock clock{Frequency{100'000'000}};
  test::OneWayLink in{0, "host->router", Bandwidth{10'000'000'000}, Time::from_ns(100)};
  test::OneWayLink out{1, "router->host", Bandwidth{10'000'000'000}, Time::from_ns(100)};
  link::LinkCounters counters;
  std::unique_ptr<rtl::external::Transactor> transactor;
  std::shared_ptr<bool> resting;
  std::shared_ptr<std::string> broken;
};

TEST_F(ExternalTransactorTest, AWordIsSampledAtTheFirstEdgeAfterItsArrival) {
  int64_t edges = 0;
  std::vector<Input> seen;
  make([&](const Input& in, Output&) {
    ++edges;
    if (in.valid) seen.push_back(in);
  });
  EXPECT_TRUE(transactor->next_event().is_never());
  // The word of slot 3 arrives at 4 * 12.8 ns + 100 ns.
  word(3, kWhole, 1);
  ASSERT_TRUE(advance(Time::from_ns(151)).ok());
  EXPECT_EQ(edges, 0) << "idle edges without an input are left out";
  ASSERT_TRUE(advance(Time::from_ns(161)).ok());
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(edges, 1) << "the edge at 160 ns";
  EXPECT_TRUE(seen[0].first && seen[0].last);
  EXPECT_EQ(seen[0].vc, 1);
  EXPECT_EQ(seen[0].word, (link::Word{1, 2}));
  EXPECT_EQ(transactor->events(), 1u);
}

TEST_F(ExternalTransactorTest, AWordThatIsOfferedLeavesInTheNextSlot) {
  make([&](const Input& in, Output& out) {
    out.valid = in.valid;
    out.first = out.last = true;
    out.word = {7, 8};
    *resting = !out.valid;
  });
  word(3, kWhole);
  ASSERT_TRUE(advance(Time::from_us(1)).ok());
  const link::Record* record = received();
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->kind, link::RecordKind::kBurst);
  EXPECT_EQ(record->words[0], (link::Word{7, 8}));
  // It is offered after the edge at 160 ns, taken at that of 170 ns, and is in slot 14, from 179.2 ns to 192 ns.
  EXPECT_EQ(record->time(), Time::from_ps(192'000 + 100'000));
  EXPECT_EQ(counters.words.get(), 1u);
  EXPECT_EQ(counters.packets.get(), 1u);
}

TEST_F(ExternalTransactorTest, CreditsLeaveAPeriodAfterTheEdgeThatGaveThem) {
  make([&](const Input& in, Output& out) {
    out.credit_valid = in.valid;
    out.credit_vc = 0;
    out.credit_count = 1;
    *resting = !out.credit_valid;
  });
  word(3, kWhole);
  ASSERT_TRUE(advance(Time::from_us(1)).ok());
  const link::Record* record = received();
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->kind, link::RecordKind::kCredit);
  EXPECT_EQ(record->time(), Time::from_ns(170 + 100));
}

TEST_F(ExternalTransactorTest, StallsAreCountedAndExplained) {
  make([&](const Input&, Output& out) {
    out.stalled = true;
    *resting = false;
  });
  word(0, kWhole);
  ASSERT_TRUE(advance(Time::from_ns(205)).ok());
  // The first edge is that at 120 ns; those from 130 ns to 200 ns see what it left.
  EXPECT_EQ(counters.credit_stall_cycles.get(), 8u);
  EXPECT_THAT(transactor->waits(), testing::ElementsAre("router[3] waits for credits on router->host"));
}

TEST_F(ExternalTransactorTest, AWordWithoutACreditIsNotTaken) {
  make(
      [&](const Input&, Output& out) {
        out.valid = out.first = out.last = true;
        *resting = false;
      },
      2);
  word(0, kWhole);
  EXPECT_THAT(error(), HasSubstr("port local: it sends on VC 0 without a credit"));
  EXPECT_EQ(counters.words.get(), 2u);
}

TEST_F(ExternalTransactorTest, ACreditIsForSeveralWordsOfAPacket) {
  int64_t sent = 0;
  // Packets of five words, which take two credits of three words.
  make(
      [&](const Input& in, Output& out) {
        if (out.valid && in.ready) ++sent;
        out.valid = true;
        out.first = sent % 5 == 0;
        out.last = sent % 5 == 4;
        *resting = false;
      },
      4, 3);
  word(0, kWhole);
  EXPECT_THAT(error(), HasSubstr("without a credit"));
  EXPECT_EQ(counters.words.get(), 10u);
}

TEST_F(ExternalTransactorTest, PacketsHaveBeginningAndEnd) {
  make([&](const Input&, Output& out) {
    out.valid = out.first = true;
    *resting = false;
  });
  word(0, kWhole);
  EXPECT_THAT(error(), HasSubstr("it sends a packet without an end, or without a beginning"));
}

TEST_F(ExternalTransactorTest, WhatComesHasBeginningAndEnd) {
  make([](const Input&, Output&) {});
  word(0, link::kStartOfPacket);
  word(1, link::kStartOfPacket);
  EXPECT_THAT(error(), HasSubstr("a packet comes without an end, or without a beginning"));
}

TEST_F(ExternalTransactorTest, UnknownVcsAreRefused) {
  make([&](const Input&, Output& out) {
    out.valid = out.first = out.last = true;
    out.vc = 2;
    *resting = false;
  });
  word(0, kWhole);
  EXPECT_THAT(error(), HasSubstr("it sends on VC 2, and there are 2"));
}

TEST_F(ExternalTransactorTest, OnlyUsedCreditsGoBack) {
  make([&](const Input&, Output& out) {
    out.credit_valid = true;
    out.credit_count = 2;
    *resting = false;
  });
  word(0, kWhole);
  EXPECT_THAT(error(), HasSubstr("it gives back more credits of VC 0 than were used"));
}

TEST_F(ExternalTransactorTest, MoreCreditsThanThereAreDoNotCome) {
  make([](const Input&, Output&) {});
  in.sender()->send_credit(Time::from_ns(5), 1, 3);
  EXPECT_THAT(error(), HasSubstr("more credits come for VC 1 than there are"));
}

TEST_F(ExternalTransactorTest, AWordWithoutACreditDoesNotCome) {
  make([](const Input&, Output&) {}, 1);
  word(0, kWhole);
  word(1, kWhole);
  EXPECT_THAT(error(), HasSubstr("a word comes on VC 0 without a credit"));
}

TEST_F(ExternalTransactorTest, ARouterThatIsBusyAfterResetHasEdges) {
  int64_t edges = 0;
  make([&](const Input&, Output&) { *resting = ++edges == 3; });
  *resting = false;
  rtl::external::Setup setup{.name = "router[3]", .vcs = 2};
  auto router = std::make_unique<Scripted>([&](const Input&, Output&) { *resting = ++edges == 3; });
  resting = router->resting;
  *resting = false;
  setup.ports = {{"local", true, true, 4}};
  transactor =
      *rtl::external::Transactor::create(setup, clock, {{out.sender(), in.receiver(), &counters}}, std::move(router));
  ASSERT_TRUE(advance(Time::from_us(1)).ok());
  EXPECT_EQ(edges, 3);
}

TEST_F(ExternalTransactorTest, AWordThatIsOfferedKeepsTheClockRunning) {
  // The router says that it is idle, and its link is still busy with the word before.
  int64_t words = 0;
  make([&](const Input& in, Output& out) {
    if (out.valid && in.ready) ++words;
    out.valid = out.first = out.last = words < 3 && (words > 0 || in.valid || out.valid);
  });
  word(0, kWhole);
  ASSERT_TRUE(advance(Time::from_us(1)).ok());
  EXPECT_EQ(words, 3);
}

TEST_F(ExternalTransactorTest, AFailureNamesRouterAndTime) {
  make([&](const Input&, Output&) { *broken = "a FIFO is full"; });
  word(0, kWhole);
  EXPECT_EQ(error(), "router[3] at 120 ns: a FIFO is full");
}

TEST_F(ExternalTransactorTest, AnExceptionEndsTheRun) {
  make([](const Input&, Output&) { throw std::runtime_error("no memory left"); });
  word(0, kWhole);
  const absl::Status status = advance(Time::from_us(1));
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(status.message()), HasSubstr("the router failed: no memory left"));
}

TEST_F(ExternalTransactorTest, ConnectedPortsHaveChannels) {
  rtl::external::Setup setup{.name = "router[3]", .vcs = 2};
  setup.ports = {{"local", true, true, 4}};
  const auto made =
      rtl::external::Transactor::create(setup, clock, {}, std::make_unique<Scripted>([](const Input&, Output&) {}));
  EXPECT_EQ(made.status().message(), "router[3]: port local has no channel");
}

TEST(ExternalLibraryTest, AnExperimentWithoutALibraryIsNamed) {
  const auto made = rtl::external::make_router("", {.name = "router[3]"});
  EXPECT_THAT(std::string(made.status().message()), HasSubstr("router[3]: the experiment names no library"));
}

}  // namespace
}  // namespace fabrictwin

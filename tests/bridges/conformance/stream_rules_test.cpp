// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Each rule on messages that keep it, and on those that break it alone.
#include "bridges/conformance/stream_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/bridges/conformance/one_port.h"

namespace fabrictwin {
namespace {

using bridges::conformance::ChannelMap;
using bridges::conformance::Check;
using bridges::conformance::Findings;
using bridges::conformance::StreamRules;
using bridges::conformance::Verdict;
using test::blob;
using test::burst;
using test::credit;
using test::kIn;
using test::kOut;
using test::promise;
using ::testing::AllOf;
using ::testing::HasSubstr;

class StreamRulesTest : public ::testing::Test {
 protected:
  explicit StreamRulesTest(const v1::ConfigureRequest& configure = test::one_port())
      : map_(*ChannelMap::of(configure)), rules_(map_, findings_, "here") {}

  void ask(std::initializer_list<link::Record> records) {
    v1::RunRequest request;
    request.set_number(++requests_);
    request.set_records(blob(records));
    rules_.on_request(request);
  }
  /// Answers the last request.
  void answer(std::initializer_list<link::Record> records, std::initializer_list<v1::SyncRow> rows = {}) {
    v1::RunResponse response;
    response.set_consumed(requests_);
    response.set_records(blob(records));
    for (const v1::SyncRow& row : rows) *response.add_rows() = row;
    rules_.on_response(response);
  }
  static v1::SyncRow row(int64_t now_ns, Time next, uint64_t consumed, uint64_t sent) {
    v1::SyncRow row;
    row.set_partition(2);
    row.set_now_fs(Time::from_ns(now_ns).fs());
    row.set_next_event_fs(next.fs());
    row.add_consumed(consumed);
    row.add_sent(sent);
    return row;
  }

  std::vector<std::string> failed() const {
    std::vector<std::string> names;
    for (const Check& check : findings_.checks()) {
      if (check.verdict == Verdict::kFailed) names.emplace_back(check.kind->name);
    }
    return names;
  }
  std::string text(const std::string& name) const {
    for (const Check& check : findings_.checks()) {
      if (check.kind->name == name) return check.text;
    }
    return "";
  }
  void expect_only(const std::string& name) { EXPECT_THAT(failed(), ::testing::ElementsAre(name)) << text(name); }

  const ChannelMap map_;
  Findings findings_;
  StreamRules rules_;
  uint64_t requests_ = 0;
};

// A packet of three words comes in, and goes out again 50 ns later.
TEST_F(StreamRulesTest, ARunThatKeepsAllRulesIsOk) {
  ask({burst(kIn, 0, 3, 3), promise(kIn, 300)});
  answer({credit(kOut, 260, 3), burst(kOut, 18, 3, 3), promise(kOut, 400)}, {row(300, Time::never(), 1, 2)});
  rules_.on_end();
  rules_.on_rest();
  EXPECT_THAT(failed(), ::testing::IsEmpty());
  EXPECT_EQ(findings_.checks().size(), 19u);
  EXPECT_EQ(rules_.sent(kOut).words, 3u);
  EXPECT_EQ(rules_.sent(kOut).packets, 1u);
}

TEST_F(StreamRulesTest, WordsWithoutCreditsAreFound) {
  ask({promise(kIn, 1000)});
  // Eight words have credits, and the ninth has none.
  answer({burst(kOut, 0, 3, 1), burst(kOut, 3, 3, 0), burst(kOut, 6, 3, 0), promise(kOut, 1100)});
  expect_only("credits.taken");
  EXPECT_THAT(text("credits.taken"), AllOf(HasSubstr("here: answer 1, channel 5 (from router[1].x+): burst of 3 words"),
                                           HasSubstr("has taken 9 credits; 8 were there at first, and 0 had come")));
}

TEST_F(StreamRulesTest, ACreditCountsFromItsArrival) {
  ask({credit(kIn, 80, 1), promise(kIn, 1000)});
  answer({burst(kOut, 0, 3, 1), burst(kOut, 3, 3, 0), burst(kOut, 6, 3, 0), promise(kOut, 1100)});
  EXPECT_THAT(failed(), ::testing::IsEmpty());
}

TEST_F(StreamRulesTest, ACreditThatComesAfterTheWordHasBegunIsTooLate) {
  ask({credit(kIn, 81, 1), promise(kIn, 1000)});
  answer({burst(kOut, 0, 3, 1), burst(kOut, 3, 3, 0), burst(kOut, 6, 3, 0), promise(kOut, 1100)});
  expect_only("credits.taken");
}

TEST_F(StreamRulesTest, CreditsForWordsThatHaveNotArrivedAreFound) {
  ask({burst(kIn, 0, 3, 3), promise(kIn, 300)});
  // The words arrive at 110, 120 and 130 ns; the credits leave at 129 ns.
  answer({credit(kOut, 229, 3), promise(kOut, 400)});
  expect_only("credits.returned");
  EXPECT_THAT(text("credits.returned"), HasSubstr("has returned 3 credits, and words for 2 had arrived by 129 ns"));
}

TEST_F(StreamRulesTest, CreditsThatDoNotComeBackAreFound) {
  ask({burst(kIn, 0, 3, 3), promise(kIn, 300)});
  answer({credit(kOut, 260, 2), promise(kOut, 400)}, {row(300, Time::never(), 1, 1)});
  rules_.on_rest();
  expect_only("credits.all");
}

TEST_F(StreamRulesTest, APromiseThatIsTooSmallIsFound) {
  ask({promise(kIn, 300)});
  answer({promise(kOut, 399)});
  expect_only("promise.reach");
  EXPECT_THAT(text("promise.reach"), HasSubstr("promises 399 ns"));
}

TEST_F(StreamRulesTest, ARecordIsAPromiseToo) {
  ask({promise(kIn, 300)});
  answer({burst(kOut, 30, 1, 3)});
  EXPECT_THAT(failed(), ::testing::IsEmpty());
}

TEST_F(StreamRulesTest, NoPromiseIsDueBeforeTheAnswer) {
  ask({promise(kIn, 300)});
  v1::RunResponse early;
  rules_.on_response(early);
  EXPECT_THAT(failed(), ::testing::IsEmpty());
  rules_.on_end();
  expect_only("stream.answers");
}

TEST_F(StreamRulesTest, AWordOffTheClockIsFound) {
  ask({promise(kIn, 300)});
  link::Record word = burst(kOut, 10, 1, 3);
  word.set_time(word.time() + Time::from_fs(1));
  answer({word, promise(kOut, 400)});
  expect_only("stream.slots");
}

TEST_F(StreamRulesTest, TwoWordsInOneSlotAreFound) {
  ask({promise(kIn, 300)});
  answer({burst(kOut, 10, 3, 3), burst(kOut, 12, 1, 3, 1), promise(kOut, 400)});
  expect_only("stream.slots");
  EXPECT_THAT(text("stream.slots"), HasSubstr("slot 12, and slot 12 has had a word already"));
}

TEST_F(StreamRulesTest, AHeaderInAPacketIsFound) {
  ask({promise(kIn, 300)});
  answer({burst(kOut, 10, 1, 1), burst(kOut, 11, 1, 3), promise(kOut, 400)});
  expect_only("stream.framing");
}

TEST_F(StreamRulesTest, PacketsOfTwoVcsMayMix) {
  ask({promise(kIn, 300)});
  answer({burst(kOut, 10, 1, 1), burst(kOut, 11, 1, 1, 1), burst(kOut, 12, 1, 2), burst(kOut, 13, 1, 2, 1),
          promise(kOut, 400)});
  EXPECT_THAT(failed(), ::testing::IsEmpty());
}

TEST_F(StreamRulesTest, RecordsOutOfOrderAreFound) {
  ask({promise(kIn, 300)});
  answer({credit(kOut, 400, 1), promise(kOut, 399)});
  EXPECT_THAT(text("stream.order"), HasSubstr("promise at 399 ns"));
}

TEST_F(StreamRulesTest, WhatIsNoRecordIsFound) {
  link::Record owned = promise(kOut, 400);
  owned.stamp |= link::Record::kOwnershipBit;
  link::Record packet = promise(kOut, 400);
  packet.kind = link::RecordKind::kPacket;
  for (const link::Record& wrong :
       {owned, packet, burst(kOut, 10, 0, 3), burst(kOut, 10, 4, 3), burst(kOut, 10, 1, 3, 2), credit(kOut, 400, 0)}) {
    Findings findings;
    StreamRules rules(map_, findings, "here");
    v1::RunResponse response;
    response.set_records(blob({wrong}));
    rules.on_response(response);
    EXPECT_TRUE(findings.failed("stream.kind")) << bridges::conformance::describe(wrong);
  }
}

TEST_F(StreamRulesTest, RowsThatAreNotTrueAreFound) {
  ask({burst(kIn, 0, 3, 3), promise(kIn, 300)});
  // The word leaves at 190 ns, after this row.
  answer({promise(kOut, 300)}, {row(191, Time::never(), 0, 0)});
  ask({promise(kIn, 400)});
  answer({burst(kOut, 18, 1, 3), promise(kOut, 500)});
  EXPECT_THAT(text("rows.now"), HasSubstr("acts no more before 191 ns"));
  EXPECT_FALSE(findings_.failed("rows.next_event"));
}

TEST_F(StreamRulesTest, NextEventHoldsUntilARecordThatIsNotCounted) {
  ask({burst(kIn, 0, 3, 3), promise(kIn, 300)});
  answer({promise(kOut, 400)}, {row(100, Time::from_ns(500), 1, 0)});
  ask({burst(kIn, 20, 1, 3), promise(kIn, 600)});
  // That arrives at 310 ns, so the place may act from then on, and not at 305.
  answer({credit(kOut, 405, 1), credit(kOut, 420, 1), promise(kOut, 700)});
  EXPECT_THAT(text("rows.next_event"), HasSubstr("credit of 1 on VC 0 at 405 ns"));
  EXPECT_THAT(text("rows.next_event"), HasSubstr("comes at 310 ns"));
  for (const Check& check : findings_.checks()) {
    if (check.kind->name == "rows.next_event") {
      EXPECT_EQ(check.failed, 1u);
    }
  }
}

TEST_F(StreamRulesTest, RowsOfNobodyAndWrongCountsAreFound) {
  ask({promise(kIn, 300)});
  v1::SyncRow strange = row(0, Time::never(), 0, 0);
  strange.set_partition(3);
  answer({promise(kOut, 400)}, {strange});
  expect_only("rows.shape");
  answer({}, {row(0, Time::never(), 1, 0)});
  EXPECT_THAT(text("rows.consumed"), HasSubstr("channel 4 (to router[1].x+): 1 records consumed, and there were 0"));
  answer({}, {row(0, Time::never(), 1, 1)});
  EXPECT_THAT(text("rows.sent"), HasSubstr("1 records sent, and there were 0"));
  answer({}, {row(0, Time::never(), 0, 1)});
  EXPECT_THAT(text("rows.monotone"), HasSubstr("is less than in the row before"));
}

class ExternalRulesTest : public StreamRulesTest {
 protected:
  ExternalRulesTest() : StreamRulesTest(test::one_external_port()) {}
};

TEST_F(ExternalRulesTest, BitsAboveANarrowWordAreFound) {
  ask({promise(kIn, 300)});
  link::Record wide = burst(kOut, 10, 2, 3, 3);
  wide.words[1].hi = 1;
  answer({wide, promise(kOut, 400)});
  expect_only("stream.words");
  EXPECT_THAT(text("stream.words"), HasSubstr("word 1 has bits above 63"));
}

// A packet takes whole credits: three words of it take two, of which each is for two words.
TEST_F(ExternalRulesTest, CreditsAreForSeveralWords) {
  ask({burst(kIn, 0, 3, 3), promise(kIn, 300)});
  answer({credit(kOut, 260, 2), promise(kOut, 400)}, {row(300, Time::never(), 1, 1)});
  rules_.on_rest();
  EXPECT_THAT(failed(), ::testing::IsEmpty());
  ask({burst(kIn, 30, 3, 3), promise(kIn, 600)});
  answer({credit(kOut, 660, 3), promise(kOut, 700)});
  expect_only("credits.returned");
}

}  // namespace
}  // namespace fabrictwin

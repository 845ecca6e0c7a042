// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "cosim/base/random.h"
#include "cosim/base/text.h"
#include "dashboards/history/known_names.h"
#include "dashboards/history/text.h"
#include "dashboards/history/trend.h"
#include "tests/dashboards/history/made_results.h"

namespace fabrictwin::dashboards::history {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A database that is filled commit by commit.
class HistoryCheck : public testing::Test {
 protected:
  HistoryCheck()
      : database_(*Database::open(
            fresh_file(testing::UnitTest::GetInstance()->current_test_info()->name() + std::string(".db")), true)) {}

  /// Records a time that varies by 1 %, and a digest.
  void add(const std::string& commit, int results, double seconds, const std::string& digest = "d",
           const std::string& host = "node1") {
    for (int i = 0; i < results; ++i) {
      const double noise = 1 + 0.02 * (random_.next_unit() - 0.5);
      Result result = made_result(commit, minute_++, {time("wall_seconds", seconds * noise)}, {{"digest", digest}});
      result.provenance.set_host(host);
      ASSERT_TRUE(database_.add(std::span(&result, 1)).ok());
    }
  }

  CheckResult checked(const CheckOptions& options = {}) {
    const absl::StatusOr<CheckResult> result = check(database_, options);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *result : CheckResult();
  }

  Database database_;
  RandomStream random_{17, 0, RandomPurpose::kTest};
  int minute_ = 0;
};

TEST_F(HistoryCheck, NothingIsFoundWhereNothingChanged) {
  add("aaaa", 8, 1);
  add("bbbb", 8, 1);
  const CheckResult result = checked();
  EXPECT_FALSE(result.has_regression());
  EXPECT_EQ(result.head, "bbbb");
  EXPECT_EQ(result.series, 1u);
  EXPECT_EQ(result.metrics, 2u);
  EXPECT_THAT(check_text(result), HasSubstr("no regression"));
}

// A tree that is not committed is measured, changed and measured again, under one name.
TEST_F(HistoryCheck, OnlyResultsAfterOneAreComparedIfAsked) {
  add("aaaa", 10, 1);
  add("aaaa+", 20, 1);
  add("aaaa", 10, 1);
  add("aaaa+", 10, 1.5);
  EXPECT_FALSE(checked({.head = "aaaa+", .base = "aaaa"}).has_regression());
  EXPECT_TRUE(checked({.head = "aaaa+", .base = "aaaa", .after = 30}).has_regression());
  const absl::StatusOr<CheckResult> none = check(database_, {.head = "aaaa+", .base = "aaaa", .after = 40});
  EXPECT_THAT(std::string(none.status().message()), HasSubstr("no series has results of aaaa, too, after result 40"));
}

TEST_F(HistoryCheck, TheBeginningOfSeveralCommitsIsNone) {
  add("abc1", 1, 1);
  add("abc2", 1, 1);
  const absl::StatusOr<std::string> several = find_commit(database_, "abc");
  EXPECT_THAT(std::string(several.status().message()),
              HasSubstr("\"abc\" is the beginning of several commits: abc1, abc2; write more of it"));
  EXPECT_EQ(*find_commit(database_, "abc2"), "abc2");
  EXPECT_EQ(*find_commit(database_, ""), "abc2");
}

TEST_F(HistoryCheck, ASlowerCommitIsARegressionUntilItIsAcknowledged) {
  add("aaaa", 8, 1);
  add("bbbb", 8, 1.1);
  CheckResult result = checked();
  ASSERT_TRUE(result.has_regression());
  EXPECT_EQ(result.findings.at(0).difference.name, "wall_seconds");
  EXPECT_EQ(result.findings.at(0).base, "aaaa");
  EXPECT_THAT(check_text(result), HasSubstr("REGRESSION: wall_seconds (incast8)"));
  ASSERT_TRUE(database_.acknowledge({"*", "wall*", "bbbb", "more is modelled", "2026-03-02"}).ok());
  result = checked();
  EXPECT_FALSE(result.has_regression());
  EXPECT_THAT(check_text(result), HasSubstr("acknowledged: more is modelled"));
}

// After the correction for two metrics no five results a side are significant, whatever they are.
TEST_F(HistoryCheck, ResultsThatCannotShowAnythingAreTooFew) {
  const auto add_pair = [this](int i) {
    for (const auto& [commit, factor] : {std::pair("aaaa", 1.0), std::pair("bbbb", 3.0)}) {
      const double seconds = factor * (1 + 0.001 * i);
      const Result result = made_result(commit, minute_++, {time("wall_seconds", seconds), time("other", seconds)});
      ASSERT_TRUE(database_.add(std::span(&result, 1)).ok());
    }
  };
  for (int i = 0; i < 5; ++i) add_pair(i);
  const CheckResult few = checked();
  EXPECT_FALSE(few.has_regression());
  EXPECT_EQ(few.too_few, 2u);
  EXPECT_EQ(few.results_needed, 6u);
  const std::string text = check_text(few);
  EXPECT_THAT(text, HasSubstr("note: wall_seconds (incast8)\n"));
  EXPECT_THAT(text, HasSubstr("too few +200.0 %"));
  EXPECT_THAT(text, HasSubstr("2 with too few results to tell: measure each commit 6 times or more\n"));
  EXPECT_THAT(text, Not(HasSubstr("no regression")));
  EXPECT_THAT(check_json(few), HasSubstr("\"results_needed\": 6"));
  add_pair(5);
  const CheckResult enough = checked();
  EXPECT_TRUE(enough.has_regression());
  EXPECT_EQ(enough.too_few, 0u);
  EXPECT_EQ(enough.results_needed, 0u);
}

// Probabilities are not corrected for the metrics of other series.
TEST_F(HistoryCheck, TheMetricsOfASeriesAreTestedTogether) {
  for (int i = 0; i < 5; ++i) {
    for (const auto& [commit, factor] : {std::pair("aaaa", 1.0), std::pair("bbbb", 3.0)}) {
      for (const char* name : {"one", "two", "three"}) {
        Result result = made_result(commit, minute_++, {time("wall_seconds", factor * (1 + 0.001 * i))});
        result.name = name;
        ASSERT_TRUE(database_.add(std::span(&result, 1)).ok());
      }
    }
  }
  const CheckResult result = checked();
  EXPECT_EQ(result.too_few, 0u);
  EXPECT_EQ(result.findings.size(), 3u);
  EXPECT_TRUE(result.has_regression());
}

TEST_F(HistoryCheck, AnAcknowledgementIsForItsMetricAndCommit) {
  add("aaaa", 8, 1);
  add("bbbb", 8, 1.1);
  ASSERT_TRUE(database_.acknowledge({"*", "other", "bbbb", "r", "2026-03-02"}).ok());
  ASSERT_TRUE(database_.acknowledge({"*", "wall_seconds", "aaaa", "r", "2026-03-02"}).ok());
  ASSERT_TRUE(database_.acknowledge({"hpcg", "wall_seconds", "bbbb", "r", "2026-03-02"}).ok());
  EXPECT_TRUE(checked().has_regression());
}

// Head is compared with what came after it, too.
TEST_F(HistoryCheck, AnAcknowledgementBeforeALaterBaseIsForSomethingElse) {
  add("aaaa", 8, 1);
  for (const char* const commit : {"bbbb", "cccc"}) add(commit, 8, 1.2);
  add("dddd", 8, 1);
  ASSERT_TRUE(database_.acknowledge({"*", "wall_seconds", "bbbb", "r", "2026-03-02"}).ok());
  EXPECT_TRUE(checked({.head = "cccc", .base = "dddd"}).has_regression());
  ASSERT_TRUE(database_.acknowledge({"*", "wall_seconds", "dddd", "r", "2026-03-02"}).ok());
  EXPECT_FALSE(checked({.head = "cccc", .base = "dddd"}).has_regression());
}

TEST_F(HistoryCheck, NothingAfterANumberIsAMistake) {
  add("aaaa", 8, 1);
  add("bbbb", 8, 1);
  EXPECT_THAT(std::string(check(database_, {.after = 16}).status().message()),
              HasSubstr("no result of commit bbbb has a number above 16"));
}

TEST_F(HistoryCheck, AFasterCommitIsANote) {
  add("aaaa", 8, 1);
  add("bbbb", 8, 0.8);
  const CheckResult result = checked();
  EXPECT_FALSE(result.has_regression());
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].difference.verdict, Verdict::kBetter);
}

TEST_F(HistoryCheck, AnotherDigestIsARegression) {
  add("aaaa", 1, 1);
  add("bbbb", 1, 1, "e");
  const CheckResult result = checked();
  ASSERT_TRUE(result.has_regression());
  EXPECT_EQ(result.findings.at(0).difference.name, "digest");
}

TEST_F(HistoryCheck, OtherMachinesAreNotCompared) {
  add("aaaa", 8, 1);
  add("bbbb", 8, 2, "d", "node2");
  const CheckResult result = checked();
  EXPECT_FALSE(result.has_regression());
  EXPECT_EQ(result.machines, 1u);
  EXPECT_EQ(result.metrics, 1u) << "the digest";
  EXPECT_TRUE(result.findings.empty()) << "the time is not new";
  EXPECT_THAT(check_text(result), HasSubstr("only results of one machine"));
}

// Containers of jobs that are called after their ids would each be a machine.
TEST_F(HistoryCheck, ATrendIsOfTheMachineOfTheNewestResult) {
  add("aaaa", 1, 1);
  add("bbbb", 1, 2, "d", "node2");
  add("cccc", 1, 1);
  absl::StatusOr<std::vector<Trend>> trends = find_trends(database_, "", "wall_seconds", {});
  ASSERT_TRUE(trends.ok()) << trends.status();
  ASSERT_EQ(trends->size(), 1u);
  EXPECT_EQ(trends->front().machine, "node1 (A processor)");
  ASSERT_EQ(trends->front().points.size(), 2u);
  EXPECT_EQ(trends->front().points[0].commit, "aaaa");
  EXPECT_EQ(trends->front().points[1].commit, "cccc");
  add("dddd", 1, 1, "d", "node3");
  trends = find_trends(database_, "", "wall_seconds", {});
  ASSERT_TRUE(trends.ok()) << trends.status();
  EXPECT_EQ(trends->at(0).points.size(), 1u);
}

TEST_F(HistoryCheck, WithOneResultOfEachCommitAChangePointIsFound) {
  for (int i = 0; i < 40; ++i) add("old" + std::to_string(i), 1, 1);
  EXPECT_FALSE(checked().has_regression());
  for (int i = 0; i < 6; ++i) add("new" + std::to_string(i), 1, 1.08);
  const CheckResult result = checked();
  ASSERT_TRUE(result.has_regression());
  EXPECT_TRUE(result.findings.at(0).by_change_point);
  EXPECT_EQ(result.findings.at(0).head, "new0");
  EXPECT_EQ(result.findings.at(0).base, "old39");
  ASSERT_TRUE(database_.acknowledge({"*", "wall_seconds", "new0", "expected", "2026-03-02"}).ok());
  EXPECT_FALSE(checked().has_regression());
}

TEST_F(HistoryCheck, AChangePointHasItsOwnRatioAndNoise) {
  for (int i = 0; i < 20; ++i) add("old" + std::to_string(i), 1, 1);
  for (int i = 0; i < 6; ++i) add("new" + std::to_string(i), 1, 1.08);
  const CheckResult result = checked();
  ASSERT_EQ(result.findings.size(), 1u);
  const Difference& difference = result.findings[0].difference;
  EXPECT_NEAR(difference.change(), 0.08, 0.01);
  EXPECT_LE(difference.ratio.low, 1 + difference.change());
  EXPECT_GE(difference.ratio.high, 1 + difference.change());
  EXPECT_GT(difference.ratio.low, 1.05);
  EXPECT_GT(difference.noise, 0);
}

TEST_F(HistoryCheck, AChangePointIsFoundAcrossUnitsOfTime) {
  for (int i = 0; i < 10; ++i) add("old" + std::to_string(i), 1, 1);
  for (int i = 0; i < 10; ++i) {
    Result result = made_result("new" + std::to_string(i), minute_++,
                                {{"wall_seconds", "ms", Better::kLower, 1100 + static_cast<double>(i % 3)}});
    ASSERT_TRUE(database_.add(std::span(&result, 1)).ok());
  }
  const CheckResult result = checked();
  ASSERT_TRUE(result.has_regression());
  EXPECT_EQ(result.findings.at(0).head, "new0");
  EXPECT_EQ(result.findings.at(0).difference.unit, "ms");
  EXPECT_NEAR(result.findings.at(0).difference.base, 1000, 10);
}

TEST_F(HistoryCheck, AChangePointBeforeANamedBaseIsNotAskedFor) {
  for (int i = 0; i < 10; ++i) add("old" + std::to_string(i), 1, 1);
  for (int i = 0; i < 8; ++i) add("new" + std::to_string(i), 1, 1.1);
  EXPECT_TRUE(checked().has_regression());
  CheckOptions options;
  options.base = "new5";
  EXPECT_FALSE(checked(options).has_regression());
  options.base = "old7";
  EXPECT_TRUE(checked(options).has_regression());
}

TEST_F(HistoryCheck, TheHeadIsTheNewestOfTheName) {
  add("aaaa", 1, 1, "d");
  add("bbbb", 1, 1, "another");
  Result other = made_result("cccc", minute_++, {exact("luts", 1)});
  other.name = "other";
  ASSERT_TRUE(database_.add(std::span(&other, 1)).ok());
  EXPECT_EQ(checked().head, "cccc");
  CheckOptions options;
  options.name = "incast8";
  EXPECT_EQ(checked(options).head, "bbbb");
  EXPECT_TRUE(checked(options).has_regression());
  EXPECT_EQ(*find_commit(database_, "", "incast*"), "bbbb");
  options.head = "cccc";
  EXPECT_TRUE(absl::IsNotFound(check(database_, options).status()));
}

TEST_F(HistoryCheck, AnOldChangePointIsHistory) {
  for (int i = 0; i < 20; ++i) add("old" + std::to_string(i), 1, 1);
  for (int i = 0; i < 20; ++i) add("new" + std::to_string(i), 1, 1.2);
  EXPECT_FALSE(checked().has_regression());
}

TEST_F(HistoryCheck, BaseAndHeadCanBeNamed) {
  add("aaaa", 8, 1);
  add("bbbb", 8, 1.1);
  add("cccc", 8, 1.1);
  EXPECT_FALSE(checked().has_regression());
  CheckOptions options;
  options.base = "aa";
  EXPECT_TRUE(checked(options).has_regression());
  options.head = "aaaa";
  options.base = "";
  EXPECT_EQ(checked(options).no_base, 1u);
  options.head = "dddd";
  EXPECT_TRUE(absl::IsNotFound(check(database_, options).status()));
  options.head = "";
  options.base = "dddd";
  EXPECT_TRUE(absl::IsNotFound(check(database_, options).status()));
}

TEST_F(HistoryCheck, ABaseThatIsNamedMayBeLater) {
  add("bbbb", 8, 1.1);
  add("aaaa", 8, 1);
  CheckOptions options;
  options.base = "aaaa";
  options.head = "bbbb";
  EXPECT_TRUE(checked(options).has_regression());
}

TEST_F(HistoryCheck, WhereNothingIsComparedThatIsAnError) {
  add("aaaa", 8, 1);
  add("bbbb", 8, 1);
  CheckOptions options;
  options.name = "incats8";
  EXPECT_TRUE(absl::IsNotFound(check(database_, options).status()));
  Result other = made_result("cccc", minute_++, {exact("luts", 1)});
  other.name = "other";
  ASSERT_TRUE(database_.add(std::span(&other, 1)).ok());
  options.name = "";
  options.base = "aaaa";
  options.head = "cccc";
  EXPECT_TRUE(absl::IsNotFound(check(database_, options).status()));
  options.head = "aaaa";
  EXPECT_TRUE(absl::IsNotFound(check(database_, options).status())) << "with itself";
}

TEST_F(HistoryCheck, ResultsWithoutACommitArePassedOver) {
  add("aaaa", 1, 1);
  add("bbbb", 1, 1, "e");
  add("", 1, 1, "f");
  const CheckResult result = checked();
  EXPECT_EQ(result.head, "bbbb");
  EXPECT_TRUE(result.has_regression());
  add("cccc", 1, 1, "e");
  EXPECT_FALSE(checked().has_regression());
}

TEST_F(HistoryCheck, OfAnUncommittedTreeTheNewestIsExact) {
  add("aaaa", 1, 1, "d");
  add("bbbb+", 1, 1, "wrong");
  EXPECT_TRUE(checked().has_regression());
  add("bbbb+", 1, 1, "d");
  EXPECT_FALSE(checked().has_regression());
  add("cccc", 1, 1, "d");
  EXPECT_FALSE(checked().has_regression());
}

TEST_F(HistoryCheck, ASeriesThatIsLostIsNamed) {
  for (const char* name : {"kept", "lost"}) {
    Result result = made_result("aaaa", minute_++, {exact("luts", 1)});
    result.name = name;
    ASSERT_TRUE(database_.add(std::span(&result, 1)).ok());
  }
  Result result = made_result("bbbb", minute_++, {exact("luts", 1)});
  result.name = "kept";
  ASSERT_TRUE(database_.add(std::span(&result, 1)).ok());
  EXPECT_THAT(checked().lost, testing::ElementsAre("lost"));
  EXPECT_THAT(check_text(checked()), HasSubstr("no results any more of lost"));
}

TEST_F(HistoryCheck, AWholeHashNamesItsCommit) {
  const std::string first(40, 'a');
  const std::string second(40, 'b');
  add(first, 8, 1);
  add(second, 8, 1.1);
  add("cccc", 8, 1.1);
  CheckOptions options;
  options.base = first;
  options.head = second;
  EXPECT_TRUE(checked(options).has_regression());
  EXPECT_EQ(checked(options).head, "bbbbbbbbbbbb");
}

TEST_F(HistoryCheck, NamesThatAreNoHashesAreNotCut) {
  add("experiment-1-a", 1, 1);
  add("experiment-1-b", 1, 1, "e");
  EXPECT_TRUE(checked().has_regression());
}

TEST_F(HistoryCheck, ChangesOfACommitAreNotTheCommit) {
  add("aaaaaaaaaaaa", 8, 1);
  add("aaaaaaaaaaaa+", 8, 1.2);
  CheckOptions options;
  options.base = "aaaaaaaaaaaa";
  options.head = "aaaaaaaaaaaa+";
  const absl::StatusOr<CheckResult> result = check(database_, options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->has_regression());
}

TEST_F(HistoryCheck, TextAndJsonSayTheSame) {
  add("aaaa", 8, 1);
  add("bbbb", 8, 1.2, "e");
  const CheckResult result = checked();
  const std::string json = check_json(result);
  EXPECT_THAT(json, HasSubstr("\"regression\": true"));
  EXPECT_THAT(json, HasSubstr("\"metric\": \"wall_seconds\""));
  EXPECT_THAT(json, HasSubstr("\"verdict\": \"changed\""));
  EXPECT_THAT(check_text(result), Not(HasSubstr("no regression")));
}

// A metric that only one side has is not compared, and is told of.
TEST_F(HistoryCheck, MetricsOfOneSideAreNotes) {
  Result before = made_result("aaaa", minute_++, {exact("kept", 1), exact("gone", 2)}, {{"old_digest", "x"}});
  Result after = made_result("bbbb", minute_++, {exact("kept", 1), exact("fresh", 3)}, {{"new_digest", "y"}});
  ASSERT_TRUE(database_.add(std::span(&before, 1)).ok());
  ASSERT_TRUE(database_.add(std::span(&after, 1)).ok());
  const CheckResult result = checked();
  EXPECT_FALSE(result.has_regression());
  EXPECT_EQ(result.metrics, 1u);
  EXPECT_EQ(result.findings.size(), 4u);
  const std::string text = check_text(result);
  EXPECT_THAT(text, HasSubstr("note: fresh (incast8)\n  - in aaaa, 3 in bbbb: only after\n"));
  EXPECT_THAT(text, HasSubstr("note: gone (incast8)\n  2 in aaaa, - in bbbb: only before\n"));
  EXPECT_THAT(text, HasSubstr("note: new_digest (incast8)\n  - in aaaa, y in bbbb: only after\n"));
  EXPECT_THAT(text, HasSubstr("bbbb: 1 series, 1 metrics and digests compared"));
  EXPECT_THAT(check_json(result), HasSubstr("\"verdict\": \"only after\""));
}

TEST_F(HistoryCheck, WhereNoMetricIsComparedThatIsAnErrorIfItIsAskedFor) {
  for (const auto& [commit, host] : {std::pair("aaaa", "node1"), std::pair("bbbb", "node2")}) {
    Result result = made_result(commit, minute_++, {time("wall_seconds", 1)});
    result.provenance.set_host(host);
    ASSERT_TRUE(database_.add(std::span(&result, 1)).ok());
  }
  const CheckResult result = checked();
  EXPECT_EQ(result.series, 1u);
  EXPECT_EQ(result.metrics, 0u);
  for (const CheckOptions& options : {CheckOptions{.name = "incast8"}, CheckOptions{.head = "bbbb", .base = "aaaa"}}) {
    const absl::StatusOr<CheckResult> none = check(database_, options);
    EXPECT_TRUE(absl::IsNotFound(none.status()));
    EXPECT_THAT(std::string(none.status().message()),
                HasSubstr("nothing of commit bbbb can be compared: its results and those before have no digest or "
                          "metric in common that one machine has measured"));
  }
  // Before a first commit there is none.
  EXPECT_EQ(checked({.name = "incast8", .head = "aaaa"}).no_base, 1u);
}

TEST_F(HistoryCheck, WhereNoMetricIsComparedThoseOfEachSideAreNamed) {
  Result before = made_result("aaaa", minute_++, {exact("luts", 1)}, {{"old_digest", "x"}});
  Result after = made_result("bbbb", minute_++, {});
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) after.metrics.push_back(exact(name, 1));
  ASSERT_TRUE(database_.add(std::span(&before, 1)).ok());
  ASSERT_TRUE(database_.add(std::span(&after, 1)).ok());
  EXPECT_THAT(std::string(message_of(check(database_, {.name = "incast8"}).status())),
              testing::EndsWith("have no digest or metric in common; only before: luts, old_digest; only after: a, b, "
                                "c, d, e and 2 more"));
}

TEST_F(HistoryCheck, ExactValuesOfOneCommitThatDifferAreListed) {
  for (const auto& [commit, value] : {std::pair("aaaa", 2.0), std::pair("bbbb", 2.0), std::pair("bbbb", 3.0)}) {
    Result result = made_result(commit, minute_++, {exact("luts", value)}, {{"digest", value > 2 ? "y" : "x"}});
    ASSERT_TRUE(database_.add(std::span(&result, 1)).ok());
  }
  const CheckResult result = checked();
  EXPECT_TRUE(result.has_regression());
  const std::string text = check_text(result);
  EXPECT_THAT(text, HasSubstr("2 in aaaa, 2, 3 in bbbb: changed, not one value within a commit\n"));
  EXPECT_THAT(text, HasSubstr("x in aaaa, x, y in bbbb: changed, not one value within a commit\n"));
  EXPECT_THAT(text, Not(HasSubstr("2.5")));
  std::string json = check_json(result);
  std::erase_if(json, [](char c) { return c == ' ' || c == '\n'; });
  EXPECT_THAT(json, HasSubstr("\"base\":2.0,\"head_values\":[2.0,3.0]"));
}

TEST_F(HistoryCheck, ADigestWithASpaceIsOne) {
  const std::vector<Result> base{made_result("aaaa", 1, {}, {{"digest", "x 1"}})};
  const std::vector<Result> head{made_result("bbbb", 2, {}, {{"digest", "x 2"}})};
  const std::vector<Difference> differences = compare(base, head);
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(side_texts(differences[0]), std::pair(std::string("x 1"), std::string("x 2")));
}

// There is no share of nothing.
TEST_F(HistoryCheck, AMetricThatWasZeroHasChanged) {
  const std::vector<Result> base{made_result("aaaa", 1, {exact("marks", 0)})};
  const std::vector<Result> head{made_result("bbbb", 2, {exact("marks", 7)})};
  const std::string text = diff_text({{.name = "incast8", .base_name = "incast8", .differences = compare(base, head)}});
  EXPECT_THAT(text, HasSubstr("changed from 0"));
  EXPECT_THAT(text, Not(HasSubstr("+0.0 %")));
  Trend trend{{1, "incast8", "run", ""}, {1, "marks", "B", Better::kExact}, {}, {}, {{1, 0, 7, 0}}};
  for (const double value : {0.0, 7.0}) trend.points.push_back({1, "2026-03-01T12:00:00Z", "aaaa", value});
  EXPECT_THAT(trend_text({trend}), HasSubstr("from 0 B\n"));
}

TEST_F(HistoryCheck, ExactValuesThatDifferAreShownApart) {
  const std::vector<Result> base{made_result("aaaa", 1, {exact("jain", 0.99999939321)})};
  const std::vector<Result> head{made_result("bbbb", 2, {exact("jain", 0.99999939322)})};
  const std::string text = diff_text({{.name = "incast8", .base_name = "incast8", .differences = compare(base, head)}});
  EXPECT_THAT(text, HasSubstr("0.99999939321 "));
  EXPECT_THAT(text, HasSubstr("0.99999939322 "));
  EXPECT_THAT(text, testing::StartsWith("incast8 ()\n"));
}

/// The longest line.
size_t width_of(const std::string& text) {
  size_t most = 0;
  for (const std::string_view line : split(text, "\n")) most = std::max(most, line.size());
  return most;
}

TEST_F(HistoryCheck, ExactValuesWithoutAUnitHaveOneSpaceBehindThem) {
  for (const auto& [commit, value] : {std::pair("aaaa", 0.99999939321), std::pair("bbbb", 0.99999939322)}) {
    Result result = made_result(commit, minute_++, {exact("jain", value)});
    ASSERT_TRUE(database_.add(std::span(&result, 1)).ok());
  }
  EXPECT_THAT(check_text(checked()), HasSubstr("\n  0.99999939321 in aaaa, 0.99999939322 in bbbb: changed"));
}

TEST_F(HistoryCheck, ResultsOfDifferentNamesAreBothNamed) {
  const std::vector<SeriesDifference> differences{
      {.name = "victim", .kind = "compare", .base_name = "incast8", .base_kind = "run"}};
  EXPECT_THAT(diff_text(differences), HasSubstr("before: incast8 (run); after: victim (compare)\n"));
  EXPECT_THAT(diff_json(differences), HasSubstr("\"base_name\": \"incast8\""));
  EXPECT_THAT(diff_json(differences), HasSubstr("\"base_kind\": \"run\""));
}

TEST_F(HistoryCheck, NumbersOfAllSizesHaveAText) {
  const std::vector<Result> base{made_result("aaaa", 1, {exact("x", 1e-300), time("t", 1e-300)}),
                                 made_result("aaaa", 2, {exact("x", 1e-300), time("t", 1e-300)})};
  const std::vector<Result> head{made_result("bbbb", 3, {exact("x", 1.5e308), time("t", 1.5e308)}),
                                 made_result("bbbb", 4, {exact("x", 1.5e308), time("t", 1.7e308)})};
  std::vector<Difference> differences = compare(base, head);
  judge(differences, {});
  const std::string text = diff_text({{.name = "a", .differences = differences}});
  EXPECT_THAT(text, HasSubstr("changed beyond all bounds"));
  EXPECT_THAT(text, HasSubstr("1.6e+308 s  too few beyond all bounds, n 2+2, 5+5 needed\n"));
  EXPECT_THAT(text, HasSubstr("1.5e+308"));
  EXPECT_THAT(text, Not(HasSubstr("inf")));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  Trend trend{{1, "a", "run", ""}, {1, "x", "", Better::kExact}, {}, {}, {}};
  for (const double value : {-1.7e308, 0.0, 1.7e308})
    trend.points.push_back({1, "2026-03-01T12:00:00Z", "aaaa", value});
  EXPECT_THAT(trend_text({trend}), HasSubstr("▁▅█"));
}

TEST_F(HistoryCheck, NamesOfInputsAreQuotedWhereAShellNeedsIt) {
  Result result = made_result("aaaa", 1, {exact("x", 1)});
  for (const char* path : {"a\tb.ftr", "plain.ftr"}) result.provenance.add_inputs()->set_path(path);
  const std::string shown = show_text(result);
  EXPECT_THAT(shown, HasSubstr("input     'a\tb.ftr' "));
  EXPECT_THAT(shown, HasSubstr("input     plain.ftr "));
}

TEST_F(HistoryCheck, TextsFitATerminal) {
  const std::string metric = "classes[background-of-all-to-all].latency_seconds.percentiles.p99_9";
  const auto result_of = [&](const std::string& commit, double value, const std::string& name) {
    Result result = made_result(commit, minute_++, {exact(metric, value), time("wall_seconds", value)});
    result.name = name;
    result.provenance.set_command(
        "/opt/fabrictwin/build/release/bin/fabrictwin run workloads/experiments/congestion/victim.of.incast.textproto "
        "--set workload.traffic.classes[0].injection.process.duty=0.2 --record");
    result.provenance.set_cpu("A processor with a name of many words, as vendors like to give to what they sell");
    return result;
  };
  const std::string name = "karma dragonfly, 64 B, 12 senders, 5 hops, 200 packets";
  for (const auto& [commit, value, of] :
       {std::tuple("aaaaaaaaaaaa", 1.23456789012, name), std::tuple("aaaaaaaaaaaa", 1.0, name + " and more"),
        std::tuple("bbbbbbbbbbbb", 1.23456789013, name)}) {
    const Result result = result_of(commit, value, of);
    ASSERT_TRUE(database_.add(std::span(&result, 1)).ok());
  }
  ASSERT_TRUE(database_
                  .acknowledge({"*", "classes*", "bbbbbbbbbbbb", std::string(30, 'w') + " " + std::string(50, 'v'),
                                "2026-03-02"})
                  .ok());
  const std::string text = check_text(checked());
  EXPECT_LE(width_of(text), 80u) << text;
  EXPECT_THAT(text, HasSubstr("\n  no results any more of " + name));
  const absl::StatusOr<std::vector<Trend>> trends = find_trends(database_, "", "wall_seconds", {});
  ASSERT_TRUE(trends.ok());
  const std::string trend = trend_text({trends->front()});
  for (const std::string_view line : split(trend, "\n"))
    if (line.find("▁") == std::string_view::npos) EXPECT_LE(line.size(), 80u) << line;
  const std::string shown = show_text(*database_.get(1));
  EXPECT_LE(width_of(shown), 80u) << shown;
  EXPECT_THAT(shown, HasSubstr("\n          workloads/experiments/congestion/victim.of.incast.textproto --set\n"
                               "          workload.traffic.classes[0].injection.process.duty=0.2 --record\n"));
}

}  // namespace
}  // namespace fabrictwin::dashboards::history

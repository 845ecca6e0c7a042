// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/random.h"
#include "tests/dashboards/history/made_results.h"

namespace fabrictwin::dashboards::history {
namespace {

/// Results with a time and a rate that vary by 1 %, times `factor`.
std::vector<Result> measured(size_t count, double factor, uint64_t seed) {
  RandomStream random(seed, 0, RandomPurpose::kTest);
  std::vector<Result> results;
  for (size_t i = 0; i < count; ++i) {
    const double noise = 1 + 0.02 * (random.next_unit() - 0.5);
    results.push_back(
        made_result("c", static_cast<int>(i), {time("t", 3 * noise * factor), rate("r", noise / factor)}));
  }
  return results;
}

Difference judged(const std::vector<Result>& base, const std::vector<Result>& head, const std::string& name) {
  const Significance significance;
  std::vector<Difference> differences = compare(base, head);
  judge(differences, significance);
  const auto found = std::find_if(differences.begin(), differences.end(),
                                  [&](const Difference& difference) { return difference.name == name; });
  if (found == differences.end()) return {};
  add_interval(*found, significance);
  return *found;
}

TEST(HistoryComparison, ExactMetricsAreEqualOrHaveChanged) {
  const std::vector<Result> base{made_result("a", 1, {exact("same", 0.1 + 0.2), exact("other", 1)}, {{"d", "x"}})};
  const std::vector<Result> head{
      made_result("b", 2, {exact("same", 0.1 + 0.2), exact("other", 1.0000000001)}, {{"d", "y"}})};
  EXPECT_EQ(judged(base, head, "same").verdict, Verdict::kSame);
  EXPECT_EQ(judged(base, head, "other").verdict, Verdict::kChanged);
  EXPECT_EQ(judged(base, head, "d").verdict, Verdict::kChanged);
  EXPECT_EQ(judged(base, base, "d").verdict, Verdict::kSame);
}

TEST(HistoryComparison, UnitsOfTimeAreTheSameMetric) {
  const auto told = [](double value, const std::string& unit) {
    return std::vector<Result>{made_result("a", 1, {{"latency", unit, Better::kExact, value}})};
  };
  EXPECT_EQ(judged(told(20, "us"), told(0.02, "ms"), "latency").verdict, Verdict::kSame);
  EXPECT_EQ(judged(told(0.02, "ms"), told(20, "us"), "latency").verdict, Verdict::kSame);
  const Difference changed = judged(told(10, "us"), told(10, "ns"), "latency");
  EXPECT_EQ(changed.verdict, Verdict::kChanged);
  EXPECT_EQ(changed.unit, "ns");
  EXPECT_EQ(changed.base, 10000);
  // Others are another metric.
  EXPECT_NE(judged(told(1, "GB/s"), told(1, "MB/s"), "latency").verdict, Verdict::kSame);
}

TEST(HistoryComparison, AnythingIsMuchBesideNothing) {
  std::vector<Result> none;
  std::vector<Result> many;
  for (int i = 0; i < 9; ++i) {
    none.push_back(made_result("a", i, {{"drops", "", Better::kLower, 0}}));
    many.push_back(made_result("b", i, {{"drops", "", Better::kLower, 1000.0 + i}}));
  }
  EXPECT_EQ(judged(none, many, "drops").verdict, Verdict::kWorse);
  EXPECT_EQ(judged(many, none, "drops").verdict, Verdict::kBetter);
}

TEST(HistoryComparison, AnExactMetricThatVariesHasChanged) {
  const std::vector<Result> base{made_result("a", 1, {exact("x", 1)})};
  const std::vector<Result> head{made_result("b", 2, {exact("x", 1)}), made_result("b", 3, {exact("x", 2)})};
  const Difference difference = judged(base, head, "x");
  EXPECT_EQ(difference.verdict, Verdict::kChanged);
  EXPECT_TRUE(difference.varies());
  EXPECT_THAT(difference.base_values, testing::IsEmpty());
  EXPECT_THAT(difference.head_values, testing::ElementsAre(1, 2));
  // Their medians are the same.
  const std::vector<Result> around{made_result("b", 2, {exact("x", 0)}), made_result("b", 3, {exact("x", 2)})};
  EXPECT_EQ(judged(base, around, "x").verdict, Verdict::kChanged);
  EXPECT_EQ(judged(head, head, "x").verdict, Verdict::kChanged);
  const std::vector<Result> twice{made_result("b", 2, {exact("x", 1)}), made_result("b", 3, {exact("x", 1)})};
  EXPECT_EQ(judged(base, twice, "x").verdict, Verdict::kSame);
}

TEST(HistoryComparison, ADigestThatVariesHasChanged) {
  // One of them is a part of the other.
  const std::vector<Result> base{made_result("a", 1, {}, {{"d", "abc"}})};
  const std::vector<Result> head{made_result("b", 2, {}, {{"d", "abc"}}), made_result("b", 3, {}, {{"d", "ab"}})};
  EXPECT_EQ(judged(base, head, "d").verdict, Verdict::kChanged);
  EXPECT_EQ(judged(head, head, "d").verdict, Verdict::kChanged);
}

TEST(HistoryComparison, WhatOnlyOneSideHas) {
  const std::vector<Result> base{made_result("a", 1, {exact("x", 1)}, {{"d", "1"}})};
  const std::vector<Result> head{made_result("b", 2, {exact("y", 1)}, {{"e", "1"}})};
  EXPECT_EQ(judged(base, head, "x").verdict, Verdict::kOnlyBase);
  EXPECT_EQ(judged(base, head, "y").verdict, Verdict::kOnlyHead);
  EXPECT_EQ(judged(base, head, "d").verdict, Verdict::kOnlyBase);
  EXPECT_EQ(judged(base, head, "e").verdict, Verdict::kOnlyHead);
}

TEST(HistoryComparison, ShiftsOfFivePercentAreFoundOnTheSideWhereTheyAreWorse) {
  const std::vector<Result> base = measured(10, 1, 1);
  const std::vector<Result> slower = measured(10, 1.05, 2);
  EXPECT_EQ(judged(base, slower, "t").verdict, Verdict::kWorse);
  EXPECT_EQ(judged(base, slower, "r").verdict, Verdict::kWorse);
  EXPECT_EQ(judged(slower, base, "t").verdict, Verdict::kBetter);
  EXPECT_EQ(judged(slower, base, "r").verdict, Verdict::kBetter);
  const Difference difference = judged(base, slower, "t");
  EXPECT_LT(difference.ratio.low, 1.05);
  EXPECT_GT(difference.ratio.high, 1.04);
  EXPECT_NEAR(difference.change(), 0.05, 0.015);
}

TEST(HistoryComparison, NoiseIsNoRegression) {
  int alarms = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed)
    alarms += judged(measured(10, 1, 2 * seed), measured(10, 1, 2 * seed + 1), "t").verdict != Verdict::kSame ? 1 : 0;
  EXPECT_LE(alarms, 2);
}

TEST(HistoryComparison, AFewResultsCannotTell) {
  EXPECT_EQ(judged(measured(2, 1, 1), measured(2, 2, 2), "t").verdict, Verdict::kTooFew);
  EXPECT_EQ(judged(measured(1, 1, 1), measured(1, 1, 1), "t").verdict, Verdict::kSame);
}

TEST(HistoryComparison, ManyTestsAreCorrected) {
  // Twenty metrics that do not differ and one that just does: its probability is multiplied.
  const Significance significance;
  std::vector<Result> base;
  std::vector<Result> head;
  RandomStream random(9, 0, RandomPurpose::kTest);
  for (int i = 0; i < 8; ++i) {
    std::vector<Metric> before;
    std::vector<Metric> after;
    for (int k = 0; k < 20; ++k) {
      before.push_back(time("m" + std::to_string(k), random.next_unit() + 1));
      after.push_back(time("m" + std::to_string(k), random.next_unit() + 1));
    }
    before.push_back(time("t", 1 + 0.001 * i));
    after.push_back(time("t", 2 + 0.001 * i));
    base.push_back(made_result("a", i, before));
    head.push_back(made_result("b", i, after));
  }
  std::vector<Difference> differences = compare(base, head);
  const auto find = [&] {
    return *std::find_if(differences.begin(), differences.end(),
                         [](const Difference& each) { return each.name == "t"; });
  };
  const double before = find().probability;
  judge(differences, significance);
  EXPECT_NEAR(find().probability, 21 * before, 1e-9);
  EXPECT_EQ(find().verdict, Verdict::kWorse);
}

TEST(HistoryComparison, WhatNoTestCanTellIsTooFewHoweverLargeItIs) {
  // Two metrics: a time and a rate.
  const Difference few = judged(measured(5, 1, 1), measured(5, 3, 2), "t");
  EXPECT_EQ(few.verdict, Verdict::kTooFew);
  EXPECT_EQ(few.results_needed, 6u);
  EXPECT_TRUE(few.differs_alone);
  const Difference enough = judged(measured(6, 1, 1), measured(6, 3, 2), "t");
  EXPECT_EQ(enough.verdict, Verdict::kWorse);
  EXPECT_EQ(enough.results_needed, 0u);
  EXPECT_FALSE(judged(measured(3, 1, 1), measured(3, 3, 2), "t").differs_alone)
      << "two of twenty choices of three are as far apart";
}

/// A time as in change_points_test.cpp: a spread of 1.5 %, and 5 % of all values up to 15 % too large.
double noisy(RandomStream& random) {
  double normal = -6;
  for (int k = 0; k < 12; ++k) normal += random.next_unit();
  double value = 80 * (1 + 0.015 * normal);
  if (random.next_unit() < 0.05) value *= 1 + 0.15 * random.next_unit();
  return value;
}

struct Tally {
  int found = 0;   ///< Series whose metric that is slower is worse.
  int alarms = 0;  ///< Series with another metric that is better or worse.
};

/// Series of so many metrics and results of each side, the first metric of which is slower by a share.
Tally try_series(int series, size_t metrics, size_t results, double shift) {
  Tally tally;
  for (int i = 0; i < series; ++i) {
    RandomStream random(static_cast<uint64_t>(i) + 1, 0, RandomPurpose::kTest);
    std::array<std::vector<Result>, 2> sides;
    for (size_t side = 0; side < 2; ++side) {
      for (size_t k = 0; k < results; ++k) {
        std::vector<Metric> values;
        for (size_t metric = 0; metric < metrics; ++metric) {
          const double factor = side == 1 && metric == 0 ? 1 + shift : 1;
          values.push_back(time("m" + std::to_string(metric), factor * noisy(random)));
        }
        sides[side].push_back(made_result(side == 0 ? "a" : "b", static_cast<int>(k), std::move(values)));
      }
    }
    std::vector<Difference> differences = compare(sides[0], sides[1]);
    judge(differences, {});
    bool alarm = false;
    for (const Difference& each : differences) {
      const bool differs = each.verdict != Verdict::kSame;
      if (shift > 0 && each.name == "m0") {
        tally.found += each.verdict == Verdict::kWorse ? 1 : 0;
      } else {
        alarm = alarm || differs;
      }
    }
    tally.alarms += alarm ? 1 : 0;
  }
  return tally;
}

/// Three of the numbers of the table of docs/history.md.
TEST(HistoryComparisonPower, ShiftsOfFivePercentAreFoundInFifteenRunsOfTenMetrics) {
  EXPECT_GE(try_series(200, 10, 15, 0.05).found, 190);
}

TEST(HistoryComparisonPower, ShiftsOfFivePercentAreFoundInTwentyRunsOfThirtyMetrics) {
  EXPECT_GE(try_series(40, 30, 20, 0.05).found, 38);
}

TEST(HistoryComparisonPower, FalseAlarmsAreRare) {
  const int series = 600;
  EXPECT_LE(try_series(series, 10, 8, 0).alarms, series / 100);
  EXPECT_LE(try_series(series, 5, 15, 0).alarms, series / 100);
}

TEST(HistoryComparison, FieldsOfExperimentsThatDiffer) {
  const std::vector<FieldDifference> differences = compare_experiments(
      "seed: 1 topology { torus { dims: 4 dims: 4 link_rate: \"10Gbps\" } } workload { traffic { load: 0.5 } }",
      "seed: 2 topology { torus { dims: 4 dims: 8 } } workload { traffic { load: 0.5 payload: \"64B\" } }");
  ASSERT_EQ(differences.size(), 4u);
  EXPECT_EQ(differences[0].path, "seed");
  EXPECT_EQ(differences[0].base, "1");
  EXPECT_EQ(differences[0].head, "2");
  EXPECT_EQ(differences[1].path, "topology.torus.dims[1]");
  EXPECT_EQ(differences[2].path, "topology.torus.link_rate");
  EXPECT_EQ(differences[2].head, "");
  EXPECT_EQ(differences[3].path, "workload.traffic.payload");
  EXPECT_EQ(differences[3].base, "");
}

TEST(HistoryComparison, SweepsDifferInWhatWasSwept) {
  const std::vector<FieldDifference> differences =
      compare_experiments("seed: 1\n# --sweep load=0.1,0.2\n", "seed: 1\n# --sweep load=0.1,0.3\n");
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].base, "--sweep load=0.1,0.2");
  EXPECT_EQ(differences[0].head, "--sweep load=0.1,0.3");
}

TEST(HistoryComparison, ExperimentsOfOtherVersionsAreShownWhole) {
  const std::vector<FieldDifference> differences = compare_experiments("seed: 1", "no_such_field: 7");
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].path, "");
  EXPECT_TRUE(compare_experiments("no_such_field: 7", "no_such_field: 7").empty());
}

}  // namespace
}  // namespace fabrictwin::dashboards::history

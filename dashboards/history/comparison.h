// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Two sets of results of one series, metric by metric.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "dashboards/history/result.h"
#include "dashboards/statistics/bootstrap.h"

namespace fabrictwin::dashboards::history {

/// What counts as a difference of measured metrics.
struct Significance {
  double alpha = 0.01;         ///< The largest corrected probability.
  double least_change = 0.02;  ///< The least share by which medians differ.
  double confidence = 0.95;    ///< The probability with which the interval holds the ratio.
};

enum class Verdict {
  kSame,      ///< Equal, or no more apart than noise.
  kChanged,   ///< Exact, and not equal.
  kBetter,    ///< Measured, and better.
  kWorse,     ///< Measured, and worse: a regression.
  kTooFew,    ///< Measured, and too few to tell, whatever the values are.
  kOnlyBase,  ///< Only in one of the sets.
  kOnlyHead,
};

/// "same", "changed", "better", "worse", "too few", "only before" or "only after".
std::string_view verdict_name(Verdict verdict);

/// A metric or a digest in two sets.
struct Difference {
  std::string name;
  std::string unit;
  Better better = Better::kExact;
  bool is_text = false;
  std::vector<std::string> base_texts;  ///< The different values of a digest, in order.
  std::vector<std::string> head_texts;
  double base = 0;  ///< Medians.
  double head = 0;
  std::vector<double> base_values;  ///< The different values of an exact metric; empty if there are not several.
  std::vector<double> head_values;
  size_t base_count = 0;  ///< Values of metrics; different values of digests.
  size_t head_count = 0;
  std::vector<double> base_samples;  ///< All values of a measured metric that both sides have.
  std::vector<double> head_samples;
  statistics::Interval ratio;  ///< The median of head over that of base, after add_interval().
  double noise = 0;            ///< Twice the standard error of the difference of medians, as a share of base.
  double probability = 1;      ///< Mann-Whitney; corrected after judge() but of kTooFew.
  Verdict verdict = Verdict::kSame;
  /// Of kTooFew: results of each side with which the test could tell of all metrics of the series; 0 for others.
  size_t results_needed = 0;
  bool differs_alone = false;  ///< Of kTooFew: it would be better or worse if it were the only metric of the series.

  /// The change as a share of the base.
  double change() const { return base == 0 ? 0 : head / base - 1; }
  bool on_both_sides() const { return base_count > 0 && head_count > 0; }
  /// Something exact has several values in one of the sets, so that there is no change from one value to another.
  bool varies() const {
    return is_text ? base_count > 1 || head_count > 1 : !base_values.empty() || !head_values.empty();
  }
};

/// All metrics and digests, by name. Exact ones have their verdict; measured ones get it by judge(). Exact metrics that
/// differ within one set are a change too.
std::vector<Difference> compare(std::span<const Result> base, std::span<const Result> head);

/// Gives the verdicts of measured metrics of one series, with probabilities that are corrected for the number of those
/// that have enough results for the test to tell anything after that. Those of the others are as they were.
void judge(std::span<Difference> differences, const Significance& significance);

/// Finds the interval of the ratio of a measured metric that both sides have, and whose base is not zero. It takes
/// longer than all else, so it is for what is shown.
void add_interval(Difference& difference, const Significance& significance);

/// What begins each experiment of a result of several, before its name; a comment for who reads the text.
inline constexpr std::string_view kExperimentSection = "# experiment ";

/// A field that two experiments do not have in common.
struct FieldDifference {
  std::string path;  ///< "workload.incast.bytes".
  std::string base;  ///< Empty if it is not set there.
  std::string head;
};

/// The fields in which the texts of two experiments differ. A text that cannot be read is one field without a path.
std::vector<FieldDifference> compare_experiments(const std::string& base, const std::string& head);

}  // namespace fabrictwin::dashboards::history

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether two sets of samples differ, and what remains of many such answers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fabrictwin::dashboards::statistics {

/// The probability that two sets of samples of one distribution differ in rank as much as these, on both sides: the
/// Mann-Whitney U test (Mann and Whitney, "On a test of whether one of two random variables is stochastically larger
/// than the other", 1947). It is exact for up to 20 samples each without ties, and otherwise by the normal
/// approximation with corrections for ties and continuity. 1 if a set is empty.
double mann_whitney(std::span<const double> a, std::span<const double> b);

/// The least probability that mann_whitney() gives for sets of so many different samples: all of one set are below all
/// of the other one. 1 if a set is empty.
double least_mann_whitney(size_t m, size_t n);

/// The fewest samples of each of two sets for which least_mann_whitney() is at most `probability`, which is more than
/// 0.
size_t enough_samples(double probability);

/// The largest of the least probabilities that tests can have to be among those that holm() corrects for: others can
/// never become significant, and would only make that harder for the rest (Tarone, "A modified Bonferroni method for
/// discrete data", 1990). 0 if no test can.
double largest_least(std::span<const double> least_probabilities, double alpha);

/// Probabilities of many tests, in their order, corrected such that at most a share alpha of all families has a false
/// one below alpha (Holm, "A simple sequentially rejective multiple test procedure", 1979).
std::vector<double> holm(std::span<const double> probabilities);

}  // namespace fabrictwin::dashboards::statistics

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Least squares over whole-number parameters of something that can only be run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin {

struct FitParameter {
  std::string name;
  int32_t fallback = 0;  ///< Its value if the observations say nothing about it.
  int32_t start = 0;     ///< Where the search begins.
  int32_t least = 0;
  int32_t most = 0;
  int32_t step = 4;       ///< A change that shows, and hides rounding to clock edges.
  bool measured = false;  ///< `fallback` is known from elsewhere, and kept unless another value gains 10 %.
};

struct FittedParameter {
  int32_t value = 0;
  bool identified = false;
  double standard_error = 0;  ///< If identified.
  std::string note;           ///< Why it is not.
};

/// Minimises the sum of squared relative errors: Gauss-Newton steps, rounded, then changes of one parameter and of two
/// against each other until none helps. Parameters are taken in order, and one is left at its fallback if it has no
/// effect, or if its effect is a combination of those before it. One whose standard error turns out to be above
/// kLargestError and a quarter of its value is put back to its fallback too, the vaguest first, and the rest is fitted
/// again. Not thread-safe.
class ParameterFit {
 public:
  static constexpr double kLargestError = 1;

  /// What the model gives for each observation with these values.
  using Model = std::function<absl::StatusOr<std::vector<double>>(const std::vector<int32_t>&)>;

  /// Observations are positive.
  ParameterFit(std::vector<FitParameter> parameters, std::vector<double> observed, Model model);

  /// Errors are those of the model.
  absl::StatusOr<std::vector<FittedParameter>> run();

 private:
  using Values = std::vector<int32_t>;
  using Column = std::vector<double>;

  absl::StatusOr<Column> errors_of(const Values& values);
  absl::StatusOr<double> cost(const Values& values);
  /// By how much each relative error changes if the parameter changes by one.
  absl::StatusOr<Column> effect(const Values& values, size_t parameter);
  absl::Status find_identified(const Values& values);
  absl::StatusOr<Values> newton(Values values);
  absl::StatusOr<Values> descend(Values values);
  absl::Status add_standard_errors(const Values& values);
  /// Whether another value of a measured parameter, alone or against another one, makes a difference.
  absl::StatusOr<bool> worth_fitting(size_t parameter, const Values& values);
  /// Gives up the vaguest parameter, if there is one; false if all are sure enough.
  bool give_up_one(Values& values);

  std::vector<FitParameter> parameters_;
  std::vector<double> observed_;
  Model model_;
  std::map<Values, Column> known_;
  std::vector<FittedParameter> result_;
  std::vector<size_t> active_;  ///< Identified parameters.
};

}  // namespace fabrictwin

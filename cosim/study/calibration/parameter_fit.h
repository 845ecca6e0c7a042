// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Least-squares fit of integer parameters of a model that can only be run.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin::study::calibration {

struct FitParameter {
  std::string name;
  int32_t fallback = 0;  ///< Its value if the observations say nothing about it.
  int32_t start = 0;     ///< Where the search begins.
  int32_t least = 0;
  int32_t most = 0;
  int32_t step = 4;       ///< A change large enough to show in spite of rounding to clock edges.
  bool measured = false;  ///< True if `fallback` was measured elsewhere; it is kept unless another value gains 10 %.
};

struct FittedParameter {
  int32_t value = 0;
  bool identified = false;
  double standard_error = 0;  ///< Valid if identified.
  std::string note;           ///< Says why it is not identified.
};

/// Minimises the sum of squared relative errors: Gauss-Newton steps, rounded, then changes of one parameter and of two
/// against each other until none helps. Parameters are taken in order, and one is left at its fallback if it has no
/// effect, or if its effect is a combination of those before it. One whose standard error turns out to be above
/// kLargestError and a quarter of its value is put back to its fallback too, the vaguest first, and the rest is fitted
/// again. Not thread-safe.
class ParameterFit {
 public:
  static constexpr double kLargestError = 1;

  /// Returns the model's value for each observation with these parameter values.
  using Model = std::function<absl::StatusOr<std::vector<double>>(const std::vector<int32_t>&)>;

  /// All observations must be positive.
  ParameterFit(std::vector<FitParameter> parameters, const std::vector<double>& observed, Model model);

  /// Fits the parameters. Errors are those of the model.
  absl::StatusOr<std::vector<FittedParameter>> run();

 private:
  using Values = std::vector<int32_t>;
  using Column = Eigen::VectorXd;

  absl::StatusOr<Column> errors_of(const Values& values);
  absl::StatusOr<double> cost(const Values& values);
  /// The change of each relative error if the parameter changes by one.
  absl::StatusOr<Column> effect(const Values& values, size_t parameter);
  /// The pseudo-inverse of the matrix of the effects of the active parameters, a column each: it turns errors into the
  /// change of parameters that explains them best. Nothing if one effect is a combination of the others.
  absl::StatusOr<std::optional<Eigen::MatrixXd>> inverse_effects(const Values& values);
  absl::Status find_identified(const Values& values);
  absl::StatusOr<Values> newton(Values values);
  absl::StatusOr<Values> descend(Values values);
  absl::Status add_standard_errors(const Values& values);
  /// True if another value of a measured parameter, alone or together with a change of another one, makes a difference.
  absl::StatusOr<bool> worth_fitting(size_t parameter, const Values& values);
  /// Puts the least certain parameter back to its fallback; false if all are certain enough.
  bool give_up_one(Values& values);

  std::vector<FitParameter> parameters_;
  Eigen::ArrayXd observed_;
  Model model_;
  std::map<Values, Column> known_;
  std::vector<FittedParameter> result_;
  std::vector<size_t> active_;  ///< The identified parameters.
};

}  // namespace fabrictwin::study::calibration

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/calibration/parameter_fit.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::study::calibration {
namespace {

/// An effect is independent if more than this share of it remains after the effects of others are removed.
constexpr double kIndependent = 0.1;
constexpr int kNewtonSteps = 8;
/// Changing a measured value is worthwhile if no more than this share of the squared errors remains.
constexpr double kWorthwhile = 0.9;

}  // namespace

ParameterFit::ParameterFit(std::vector<FitParameter> parameters, const std::vector<double>& observed, Model model)
    : parameters_(std::move(parameters)),
      observed_(Eigen::ArrayXd::Map(observed.data(), std::ssize(observed))),
      model_(std::move(model)),
      result_(parameters_.size()) {}

absl::StatusOr<ParameterFit::Column> ParameterFit::errors_of(const Values& values) {
  const auto found = known_.find(values);
  if (found != known_.end()) return found->second;
  const absl::StatusOr<std::vector<double>> modelled = model_(values);
  if (!modelled.ok()) return modelled.status();
  if (std::ssize(*modelled) != observed_.size())
    return absl::InternalError(fmt::format("{} values for {} observations", modelled->size(), observed_.size()));
  const auto values_of_model = Eigen::ArrayXd::Map(modelled->data(), observed_.size());
  return known_[values] = (values_of_model - observed_) / observed_;
}

absl::StatusOr<double> ParameterFit::cost(const Values& values) {
  const absl::StatusOr<Column> errors = errors_of(values);
  if (!errors.ok()) return errors.status();
  return errors->squaredNorm();
}

absl::StatusOr<ParameterFit::Column> ParameterFit::effect(const Values& values, size_t parameter) {
  Values low = values;
  Values high = values;
  low[parameter] = std::max(values[parameter] - parameters_[parameter].step, parameters_[parameter].least);
  high[parameter] = std::min(values[parameter] + parameters_[parameter].step, parameters_[parameter].most);
  const absl::StatusOr<Column> below = errors_of(low);
  if (!below.ok()) return below.status();
  const absl::StatusOr<Column> above = errors_of(high);
  if (!above.ok()) return above.status();
  return Column((*above - *below) / static_cast<double>(high[parameter] - low[parameter]));
}

// Orthogonalises the effects in the order of the parameters, which says which one of several that act alike is fitted;
// decompositions that tell ranks choose an order of their own.
absl::Status ParameterFit::find_identified(const Values& values) {
  Eigen::MatrixXd basis(observed_.size(), 0);
  for (size_t p = 0; p < parameters_.size(); ++p) {
    const absl::StatusOr<Column> whole = effect(values, p);
    if (!whole.ok()) return whole.status();
    const double size = whole->norm();
    if (size == 0) {
      result_[p].note = "no probe shows it";
      continue;
    }
    const Column along = basis.transpose() * *whole;
    const Column rest = *whole - basis * along;
    const double left = rest.norm();
    if (left <= kIndependent * size) {
      Eigen::Index nearest = 0;
      along.cwiseAbs().maxCoeff(&nearest);
      result_[p].note = fmt::format("probes show only its sum with others, most of all {}",
                                    parameters_[active_[static_cast<size_t>(nearest)]].name);
      continue;
    }
    basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
    basis.rightCols(1) = rest / left;
    active_.push_back(p);
    result_[p].identified = true;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<Eigen::MatrixXd>> ParameterFit::inverse_effects(const Values& values) {
  Eigen::MatrixXd effects(observed_.size(), std::ssize(active_));
  for (Eigen::Index i = 0; i < effects.cols(); ++i) {
    const absl::StatusOr<Column> column = effect(values, active_[static_cast<size_t>(i)]);
    if (!column.ok()) return column.status();
    effects.col(i) = *column;
  }
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition(effects);
  if (decomposition.rank() < effects.cols()) return std::nullopt;
  return Eigen::MatrixXd(decomposition.pseudoInverse());
}

absl::StatusOr<ParameterFit::Values> ParameterFit::newton(Values values) {
  if (active_.empty()) return values;
  for (int step = 0; step < kNewtonSteps; ++step) {
    const absl::StatusOr<Column> errors = errors_of(values);
    if (!errors.ok()) return errors.status();
    const absl::StatusOr<std::optional<Eigen::MatrixXd>> inverse = inverse_effects(values);
    if (!inverse.ok()) return inverse.status();
    if (!inverse->has_value()) return values;
    const Column change = **inverse * *errors;
    Values next = values;
    for (size_t i = 0; i < active_.size(); ++i) {
      const FitParameter& parameter = parameters_[active_[i]];
      const double wanted = values[active_[i]] - change[static_cast<Eigen::Index>(i)];
      next[active_[i]] = static_cast<int32_t>(std::lround(std::clamp<double>(wanted, parameter.least, parameter.most)));
    }
    const absl::StatusOr<double> before = cost(values);
    const absl::StatusOr<double> after = cost(next);
    if (!before.ok() || !after.ok()) return before.ok() ? after.status() : before.status();
    if (next == values || *after >= *before) return values;
    values = next;
  }
  return values;
}

absl::StatusOr<ParameterFit::Values> ParameterFit::descend(Values values) {
  absl::StatusOr<double> best = cost(values);
  if (!best.ok()) return best.status();
  bool better = true;
  while (better) {
    better = false;
    const auto attempt = [&](const std::vector<std::pair<size_t, int32_t>>& moves) -> absl::Status {
      Values next = values;
      for (const auto& [parameter, change] : moves) {
        next[parameter] += change;
        if (next[parameter] < parameters_[parameter].least || next[parameter] > parameters_[parameter].most)
          return absl::OkStatus();
      }
      const absl::StatusOr<double> reached = cost(next);
      if (!reached.ok()) return reached.status();
      if (*reached < *best) {
        *best = *reached;
        values = next;
        better = true;
      }
      return absl::OkStatus();
    };
    for (size_t i = 0; i < active_.size(); ++i) {
      const int32_t step = parameters_[active_[i]].step;
      for (const int32_t change : {step, -step, 1, -1}) {
        if (absl::Status status = attempt({{active_[i], change}}); !status.ok()) return status;
        if (std::abs(change) != 1) continue;
        for (size_t j = 0; j < active_.size(); ++j) {
          if (j == i) continue;
          for (const int32_t other : {-change, change}) {
            if (absl::Status status = attempt({{active_[i], change}, {active_[j], other}}); !status.ok()) return status;
          }
        }
      }
    }
  }
  return values;
}

absl::Status ParameterFit::add_standard_errors(const Values& values) {
  const absl::StatusOr<double> left = cost(values);
  if (!left.ok()) return left.status();
  const Eigen::Index freedom = observed_.size() - std::ssize(active_);
  if (active_.empty() || freedom <= 0) return absl::OkStatus();
  const absl::StatusOr<std::optional<Eigen::MatrixXd>> inverse = inverse_effects(values);
  if (!inverse.ok()) return inverse.status();
  if (!inverse->has_value()) return absl::OkStatus();
  // The covariances of the parameters are variance * inverse * inverse transposed.
  const double deviation = std::sqrt(*left / static_cast<double>(freedom));
  for (size_t i = 0; i < active_.size(); ++i)
    result_[active_[i]].standard_error = deviation * (*inverse)->row(static_cast<Eigen::Index>(i)).norm();
  return absl::OkStatus();
}

bool ParameterFit::give_up_one(Values& values) {
  size_t vaguest = active_.size();
  double most = 1;
  for (size_t i = 0; i < active_.size(); ++i) {
    const size_t p = active_[i];
    const double accepted = std::max(kLargestError, std::abs(values[p]) / 4.0);
    const double share = result_[p].standard_error / accepted;
    if (share <= most) continue;
    most = share;
    vaguest = i;
  }
  if (vaguest == active_.size()) return false;
  const size_t p = active_[vaguest];
  result_[p].identified = false;
  result_[p].note =
      fmt::format("probes say only {} with a standard error of {:.2g}", values[p], result_[p].standard_error);
  result_[p].standard_error = 0;
  values[p] = parameters_[p].fallback;
  active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(vaguest));
  return true;
}

absl::StatusOr<bool> ParameterFit::worth_fitting(size_t parameter, const Values& values) {
  const absl::StatusOr<double> now = cost(values);
  if (!now.ok()) return now.status();
  double best = *now;
  const auto look = [&](Values next) -> absl::Status {
    for (size_t p = 0; p < next.size(); ++p) {
      if (next[p] < parameters_[p].least || next[p] > parameters_[p].most) return absl::OkStatus();
    }
    const absl::StatusOr<double> reached = cost(next);
    if (reached.ok()) best = std::min(best, *reached);
    return reached.status();
  };
  for (const int32_t change : {2, -2, 1, -1}) {
    Values next = values;
    next[parameter] += change;
    if (absl::Status status = look(next); !status.ok()) return status;
    for (const size_t other : active_) {
      Values both = next;
      both[other] -= change;
      if (absl::Status status = look(std::move(both)); !status.ok()) return status;
    }
  }
  return best < kWorthwhile * *now;
}

absl::StatusOr<std::vector<FittedParameter>> ParameterFit::run() {
  Values values;
  for (const FitParameter& parameter : parameters_) values.push_back(parameter.start);
  if (absl::Status status = find_identified(values); !status.ok()) return status;
  std::vector<size_t> measured;
  for (const size_t p : active_) {
    if (parameters_[p].measured) measured.push_back(p);
  }
  for (size_t p = 0; p < parameters_.size(); ++p) {
    if (!result_[p].identified || parameters_[p].measured) values[p] = parameters_[p].fallback;
  }
  std::erase_if(active_, [&](size_t p) { return parameters_[p].measured; });

  const auto refine = [&]() -> absl::Status {
    absl::StatusOr<Values> fitted = newton(values);
    if (fitted.ok()) fitted = descend(*fitted);
    if (!fitted.ok()) return fitted.status();
    values = *fitted;
    return add_standard_errors(values);
  };
  if (absl::Status status = refine(); !status.ok()) return status;
  for (const size_t p : measured) {
    const absl::StatusOr<bool> worth = worth_fitting(p, values);
    if (!worth.ok()) return worth.status();
    if (*worth) {
      active_.push_back(p);
      if (absl::Status status = refine(); !status.ok()) return status;
    } else {
      result_[p].identified = false;
      result_[p].note = "as measured before: no other value is worth it";
    }
  }
  while (give_up_one(values)) {
    if (absl::Status status = refine(); !status.ok()) return status;
  }
  for (size_t p = 0; p < parameters_.size(); ++p) result_[p].value = values[p];
  return result_;
}

}  // namespace fabrictwin::study::calibration

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/parameter_fit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::study {
namespace {

/// An effect is independent if more than this share of it remains after the effects of others are removed.
constexpr double kIndependent = 0.1;
constexpr int kNewtonSteps = 8;
/// Changing a measured value is worthwhile if no more than this share of the squared errors remains.
constexpr double kWorthwhile = 0.9;
constexpr double kSingular = 1e-15;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Solves A x = b for a small symmetric positive definite A, by Gauss-Jordan with the inverse as a by-product: `a`
/// becomes its inverse. False if A is singular.
bool invert(std::vector<std::vector<double>>& a) {
  const size_t n = a.size();
  std::vector<std::vector<double>> inverse(n, std::vector<double>(n, 0));
  for (size_t i = 0; i < n; ++i) inverse[i][i] = 1;
  for (size_t column = 0; column < n; ++column) {
    size_t pivot = column;
    for (size_t row = column + 1; row < n; ++row) {
      if (std::abs(a[row][column]) > std::abs(a[pivot][column])) pivot = row;
    }
    if (std::abs(a[pivot][column]) < kSingular) return false;
    std::swap(a[pivot], a[column]);
    std::swap(inverse[pivot], inverse[column]);
    const double scale = a[column][column];
    for (size_t k = 0; k < n; ++k) {
      a[column][k] /= scale;
      inverse[column][k] /= scale;
    }
    for (size_t row = 0; row < n; ++row) {
      if (row == column) continue;
      const double factor = a[row][column];
      for (size_t k = 0; k < n; ++k) {
        a[row][k] -= factor * a[column][k];
        inverse[row][k] -= factor * inverse[column][k];
      }
    }
  }
  a = std::move(inverse);
  return true;
}

}  // namespace

ParameterFit::ParameterFit(std::vector<FitParameter> parameters, std::vector<double> observed, Model model)
    : parameters_(std::move(parameters)),
      observed_(std::move(observed)),
      model_(std::move(model)),
      result_(parameters_.size()) {}

absl::StatusOr<ParameterFit::Column> ParameterFit::errors_of(const Values& values) {
  const auto found = known_.find(values);
  if (found != known_.end()) return found->second;
  absl::StatusOr<Column> modelled = model_(values);
  if (!modelled.ok()) return modelled.status();
  if (modelled->size() != observed_.size())
    return absl::InternalError(fmt::format("{} values for {} observations", modelled->size(), observed_.size()));
  Column errors(observed_.size());
  for (size_t i = 0; i < errors.size(); ++i) errors[i] = ((*modelled)[i] - observed_[i]) / observed_[i];
  known_[values] = errors;
  return errors;
}

absl::StatusOr<double> ParameterFit::cost(const Values& values) {
  const absl::StatusOr<Column> errors = errors_of(values);
  if (!errors.ok()) return errors.status();
  return dot(*errors, *errors);
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
  Column change(observed_.size());
  for (size_t i = 0; i < change.size(); ++i)
    change[i] = ((*above)[i] - (*below)[i]) / static_cast<double>(high[parameter] - low[parameter]);
  return change;
}

// Applies Gram-Schmidt to the effects, in the order of the parameters.
absl::Status ParameterFit::find_identified(const Values& values) {
  std::vector<Column> basis;
  for (size_t p = 0; p < parameters_.size(); ++p) {
    const absl::StatusOr<Column> whole = effect(values, p);
    if (!whole.ok()) return whole.status();
    const double size = std::sqrt(dot(*whole, *whole));
    if (size == 0) {
      result_[p].note = "no probe shows it";
      continue;
    }
    Column rest = *whole;
    size_t nearest = 0;
    double share = 0;
    for (size_t b = 0; b < basis.size(); ++b) {
      const double along = dot(rest, basis[b]);
      if (std::abs(along) > share) {
        share = std::abs(along);
        nearest = b;
      }
      for (size_t i = 0; i < rest.size(); ++i) rest[i] -= along * basis[b][i];
    }
    const double left = std::sqrt(dot(rest, rest));
    if (left <= kIndependent * size) {
      result_[p].note =
          fmt::format("probes show only its sum with others, most of all {}", parameters_[active_[nearest]].name);
      continue;
    }
    for (double& value : rest) value /= left;
    basis.push_back(std::move(rest));
    active_.push_back(p);
    result_[p].identified = true;
  }
  return absl::OkStatus();
}

absl::StatusOr<ParameterFit::Values> ParameterFit::newton(Values values) {
  for (int step = 0; step < kNewtonSteps; ++step) {
    const absl::StatusOr<Column> errors = errors_of(values);
    if (!errors.ok()) return errors.status();
    std::vector<Column> effects;
    for (const size_t p : active_) {
      absl::StatusOr<Column> column = effect(values, p);
      if (!column.ok()) return column.status();
      effects.push_back(*std::move(column));
    }
    const size_t n = active_.size();
    std::vector<std::vector<double>> normal(n, std::vector<double>(n));
    std::vector<double> target(n);
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) normal[i][j] = dot(effects[i], effects[j]);
      target[i] = dot(effects[i], *errors);
    }
    if (!invert(normal)) return values;
    Values next = values;
    for (size_t i = 0; i < n; ++i) {
      const FitParameter& parameter = parameters_[active_[i]];
      const double wanted = values[active_[i]] - dot(normal[i], target);
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
  const size_t n = active_.size();
  if (observed_.size() <= n) return absl::OkStatus();
  std::vector<Column> effects;
  for (const size_t p : active_) {
    absl::StatusOr<Column> column = effect(values, p);
    if (!column.ok()) return column.status();
    effects.push_back(*std::move(column));
  }
  std::vector<std::vector<double>> normal(n, std::vector<double>(n));
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) normal[i][j] = dot(effects[i], effects[j]);
  }
  if (!invert(normal)) return absl::OkStatus();
  const double variance = *left / static_cast<double>(observed_.size() - n);
  for (size_t i = 0; i < n; ++i) result_[active_[i]].standard_error = std::sqrt(std::max(0.0, normal[i][i] * variance));
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

}  // namespace fabrictwin::study

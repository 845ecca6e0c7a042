// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/metric/metric.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace fabrictwin::metric {
namespace {

// The list must exist before the first metric of any other file.
constinit const Metric* last_constructed = nullptr;

}  // namespace

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::kCounter:
      return "counter";
    case Kind::kGauge:
      return "gauge";
    default:
      return "summary";
  }
}

Metric::Metric(Kind kind, const Declaration& declaration) noexcept
    : declaration_(declaration), kind_(kind), next_(last_constructed) {
  while (label_count_ < Declaration::kMaxLabels && !declaration_.labels[label_count_].empty()) ++label_count_;
  last_constructed = this;
}

std::span<const Metric* const> catalogue() {
  static const std::vector<const Metric*> all = [] {
    std::vector<const Metric*> metrics;
    for (const Metric* metric = last_constructed; metric != nullptr; metric = metric->next_) metrics.push_back(metric);
    std::sort(metrics.begin(), metrics.end(), [](const Metric* a, const Metric* b) {
      return std::tuple(a->declaration_.order, a->name()) < std::tuple(b->declaration_.order, b->name());
    });
    return metrics;
  }();
  return all;
}

const Metric* find(std::string_view name) {
  static const std::unordered_map<std::string_view, const Metric*> by_name = [] {
    std::unordered_map<std::string_view, const Metric*> metrics;
    for (const Metric* metric : catalogue()) metrics.emplace(metric->name(), metric);
    return metrics;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

}  // namespace fabrictwin::metric

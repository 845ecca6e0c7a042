// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics as the families that Prometheus scrapes.
#pragma once

#include <prometheus/metric_family.h>

#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cosim/metric/sink.h"

namespace fabrictwin::dashboards::metrics {

/// Collects one scrape. There is a family for each metric of the catalogue, in its order; one that nobody measures has
/// no series, because a 0 would look like a measured value.
class PrometheusSink final : public metric::Sink {
 public:
  PrometheusSink();

  void take(const metric::Sample& sample) override;

  /// The families; the sink is empty afterwards and must not be used again.
  std::vector<prometheus::MetricFamily> families() && { return std::move(families_); }

 private:
  std::vector<prometheus::MetricFamily> families_;
  std::unordered_map<const metric::Metric*, size_t> position_;  ///< Where the family of each metric is in families_.
};

}  // namespace fabrictwin::dashboards::metrics

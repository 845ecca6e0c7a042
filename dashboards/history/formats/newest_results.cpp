// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/formats/newest_results.h"

#include <fmt/format.h>

#include <algorithm>

namespace fabrictwin::dashboards::history::formats {

absl::StatusOr<NewestResults> NewestResults::of(const Database& database, const Group& group) {
  absl::StatusOr<Result> last = database.get(group.results.back());
  if (!last.ok()) return last.status();
  // Results of another commit may be between them, as commits are measured in turn.
  std::vector<int64_t> results;
  for (const int64_t id : group.results) {
    const absl::StatusOr<v1::Provenance> from = database.provenance_of(id);
    if (!from.ok()) return from.status();
    if (commit_name(*from) == commit_name(last->provenance) && machine_name(*from) == machine_name(last->provenance))
      results.push_back(id);
  }
  // The last one is among them, unless another process has removed it meanwhile.
  if (results.empty()) return absl::NotFoundError(fmt::format("result {} was removed meanwhile", last->id));
  std::ranges::sort(results);
  absl::StatusOr<std::vector<GroupMetric>> metrics = metrics_of(database, group);
  if (!metrics.ok()) return metrics.status();
  return NewestResults(database, *std::move(last), std::move(results), *std::move(metrics));
}

absl::StatusOr<std::vector<double>> NewestResults::values(const Metric& metric) const {
  std::vector<double> values;
  for (const GroupMetric& each : metrics_) {
    if (each.metric.name != metric.name || each.metric.better != metric.better) continue;
    const absl::StatusOr<std::vector<Sample>> samples =
        database_->samples(each.series, each.metric.id, results_.front());
    if (!samples.ok()) return samples.status();
    for (const Sample& sample : *samples)
      if (std::ranges::binary_search(results_, sample.result)) values.push_back(sample.value);
  }
  return values;
}

}  // namespace fabrictwin::dashboards::history::formats

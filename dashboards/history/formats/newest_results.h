// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "dashboards/history/database.h"
#include "dashboards/history/formats/group.h"
#include "dashboards/history/result.h"

namespace fabrictwin::dashboards::history::formats {

/// The results of a group that are of its newest commit, on the machine of its newest result: what a table for a
/// document is about. The database must outlive it.
class NewestResults {
 public:
  /// NotFound if another process has removed a result meanwhile.
  static absl::StatusOr<NewestResults> of(const Database& database, const Group& group);

  /// The newest result, with its metrics and where it comes from.
  [[nodiscard]] const Result& last() const { return last_; }
  [[nodiscard]] size_t count() const { return results_.size(); }
  /// The values of a metric, in order of results. Results without it are left out.
  [[nodiscard]] absl::StatusOr<std::vector<double>> values(const Metric& metric) const;

 private:
  NewestResults(const Database& database, Result last, std::vector<int64_t> results, std::vector<GroupMetric> metrics)
      : database_(&database), last_(std::move(last)), results_(std::move(results)), metrics_(std::move(metrics)) {}

  const Database* database_;
  Result last_;
  std::vector<int64_t> results_;  ///< Sorted.
  std::vector<GroupMetric> metrics_;
};

}  // namespace fabrictwin::dashboards::history::formats

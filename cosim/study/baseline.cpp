// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/baseline.h"

#include <utility>

#include "workloads/tenants.h"

namespace fabrictwin::study {

absl::StatusOr<std::vector<v1::Report>> run_baselines(
    const experiment::Experiment& experiment,
    const std::function<absl::StatusOr<v1::Report>(const experiment::Experiment&)>& run) {
  std::vector<v1::Report> reports;
  for (const experiment::Experiment& baseline : workloads::kind_of(experiment).baselines(experiment)) {
    absl::StatusOr<v1::Report> report = run(baseline);
    if (!report.ok()) return report.status();
    reports.push_back(*std::move(report));
  }
  return reports;
}

void add_baselines(const experiment::Experiment& experiment, std::span<const v1::Report> baselines,
                   v1::Report& report) {
  if (!baselines.empty()) workloads::kind_of(experiment).add_baselines(experiment, baselines, report);
}

}  // namespace fabrictwin::study

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job/results_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cosim/report/text_table.h"
#include "cosim/report/values_text.h"

namespace fabrictwin::job {

using report::seconds_text;
using report::TextTable;

void add_jobs_table(const v1::Report& report, std::string& text) {
  if (report.jobs_size() < 2) return;
  text += "\njobs\n";
  const bool baseline = std::any_of(report.jobs().begin(), report.jobs().end(),
                                    [](const v1::JobReport& job) { return job.has_baseline_seconds(); });
  std::vector<std::string> header{"job", "ranks", "first rank", "finish", "completions", "background"};
  // Beside slowdowns there is no place for it.
  const bool goodput = !baseline && std::any_of(report.jobs().begin(), report.jobs().end(),
                                                [](const v1::JobReport& job) { return job.has_goodput_gbps(); });
  if (goodput) header.emplace_back("Gbit/s");
  if (baseline) header.insert(header.end(), {"alone", "slowdown"});
  TextTable table(std::move(header));
  for (const v1::JobReport& job : report.jobs()) {
    std::vector<std::string> row{job.name(),
                                 fmt::format("{}", job.ranks()),
                                 job.ranks() == 0 ? "-" : fmt::format("{}", job.first_rank()),
                                 seconds_text(job.finish_seconds()),
                                 fmt::format("{}", job.completions()),
                                 job.background() ? "yes" : ""};
    if (goodput) row.push_back(job.has_goodput_gbps() ? fmt::format("{:.3f}", job.goodput_gbps()) : "-");
    if (baseline) {
      row.push_back(job.has_baseline_seconds() ? seconds_text(job.baseline_seconds()) : "-");
      row.push_back(job.has_slowdown() ? fmt::format("{:.3f}", job.slowdown()) : "-");
    }
    table.add(std::move(row));
  }
  text += table.text();
}

}  // namespace fabrictwin::job

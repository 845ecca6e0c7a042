// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/options/metrics_file.h"

#include <fmt/format.h>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cosim/base/text.h"
#include "cosim/cli/options/checks.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/provenance.h"

namespace fabrictwin::cli::options {

void MetricsFileOption::add_to(CLI::App& command, std::string& file) {
  command
      .add_option("--metrics-file", file,
                  "Write metrics over simulated time into this file, for promtool tsdb create-blocks-from openmetrics")
      ->type_name("FILE")
      ->check(not_empty("name a file, as in --metrics-file run.om"));
}

absl::Status MetricsFileOption::check(const std::string& file, const std::string& out) {
  if (file.empty()) return absl::OkStatus();
  if (file == "-")
    return absl::InvalidArgumentError("--metrics-file: metrics are a file for promtool; name it, as in run.om");
  const absl::Status status = support::check_file(file, out);
  if (status.ok()) return status;
  return absl::InvalidArgumentError(fmt::format("--metrics-file: {}", message_of(status)));
}

run::MetricSampler* MetricsFileOption::begin(const experiment::Experiment& experiment, const system::Plan& plan,
                                             const run::metrics::SeriesSelection& series) {
  if (file_.empty()) return nullptr;
  samples_ = std::make_unique<dashboards::metrics::MetricsFile>(experiment, plan, support::run_identity(), series);
  return samples_.get();
}

absl::Status MetricsFileOption::write(const run::Run& run, support::ExitCode code) {
  if (samples_ == nullptr) return absl::OkStatus();
  samples_->finish(run, static_cast<int>(code));
  return support::write_file(file_, samples_->text(absl::ToUnixSeconds(absl::Now())));
}

}  // namespace fabrictwin::cli::options

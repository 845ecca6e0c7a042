// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/options/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "cosim/base/clock.h"
#include "cosim/base/text.h"
#include "cosim/cli/options/checks.h"
#include "cosim/cli/support/console.h"

namespace fabrictwin::cli::options {
namespace {

/// The first samples of links. Intervals become longer in long runs, so that they are few.
constexpr Time kLinkInterval = Time::from_ns(100);

/// Leaves out what latency_histogram adds to a report of traffic.
void clear_histograms(v1::Report& report) {
  if (report.traffic().has_latency_seconds()) report.mutable_traffic()->mutable_latency_seconds()->clear_histogram();
  if (report.traffic().has_latency_cycles()) report.mutable_traffic()->mutable_latency_cycles()->clear_histogram();
  for (v1::ClassReport& of : *report.mutable_classes()) {
    if (of.has_latency()) of.mutable_latency()->clear_histogram();
    if (of.has_latency_cycles()) of.mutable_latency_cycles()->clear_histogram();
  }
}

}  // namespace

void add_html_option(CLI::App& command, std::string& file) {
  command.add_option("--html", file, "Write a page for a browser into this file, which needs nothing else")
      ->type_name("FILE")
      ->check(not_empty("name a file, as in --html report.html"));
}

absl::Status check_html(const std::string& file, const std::string& out) {
  if (file.empty()) return absl::OkStatus();
  if (file == "-")
    return absl::InvalidArgumentError("--html: a page is a file for a browser; name it, as in report.html");
  const absl::Status status = support::check_file(file, out);
  if (status.ok()) return status;
  return absl::InvalidArgumentError(fmt::format("--html: {}", message_of(status)));
}

void observe_for_drawing(experiment::Experiment& experiment) {
  experiment::StatisticsSpec& statistics = experiment.statistics;
  statistics.message_matrix = experiment.workload_traits.ranks;
  statistics.rank_timeline = experiment.workload_traits.ranks;
  // Packets of traffic are timed in any case; messages would have to be followed for it.
  if (experiment.workload_traits.bare_packets) statistics.latency_histogram = true;
  if (statistics.link_interval == Time::zero())
    statistics.link_interval = std::max(kLinkInterval, Clock(experiment.router.clock).edge(1));
}

v1::Report without_drawn_statistics(const experiment::Experiment& experiment, v1::Report report) {
  const v1::Statistics& asked = experiment.message.statistics();
  if (!asked.message_matrix()) report.clear_message_matrix();
  if (!asked.rank_timeline()) report.clear_rank_timeline();
  if (!asked.latency_histogram()) clear_histograms(report);
  if (asked.link_interval().empty()) report.clear_link_series();
  report.clear_partition_timeline();
  return report;
}

absl::Status write_html(const std::string& file, std::string_view page) {
  return file.empty() ? absl::OkStatus() : support::write_file(file, page);
}

}  // namespace fabrictwin::cli::options

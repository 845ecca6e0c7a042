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
/// The first points of series; their intervals become longer, too.
constexpr Time kSeriesInterval = Time::from_us(10);

/// Whether a series costs little: queues are counted without it, in this process.
bool has_cheap_series(const experiment::Experiment& experiment, const system::Plan& plan) {
  const v1::Experiment& message = experiment.message;
  const bool counted =
      message.has_pfc() || message.has_congestion() || message.has_queues() || experiment.statistics.queues;
  return counted && experiment.capabilities.of(experiment.router.model).series && plan.places.size() == 1;
}

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

void observe_for_drawing(experiment::Experiment& experiment, const system::Plan& plan) {
  experiment::StatisticsSpec& statistics = experiment.statistics;
  statistics.message_matrix = experiment.workload_traits.ranks;
  statistics.rank_timeline = experiment.workload_traits.ranks;
  // Packets of traffic are timed in any case. Messages of ranks cost little beside what ranks do, unless each is kept
  // until partitions have told each other of it.
  if (experiment.workload_traits.bare_packets || (experiment.workload_traits.ranks && !plan.hosts_apart()))
    statistics.latency_histogram = true;
  const Time cycle = Clock(experiment.router.clock).edge(1);
  if (statistics.link_interval == Time::zero()) statistics.link_interval = std::max(kLinkInterval, cycle);
  if (statistics.series_interval == Time::zero() && has_cheap_series(experiment, plan))
    statistics.series_interval = std::max(kSeriesInterval, cycle);
}

v1::Report without_drawn_statistics(const experiment::Experiment& experiment, v1::Report report) {
  const v1::Statistics& asked = experiment.message.statistics();
  if (!asked.message_matrix()) report.clear_message_matrix();
  if (!asked.rank_timeline()) report.clear_rank_timeline();
  if (!asked.latency_histogram()) {
    clear_histograms(report);
    report.clear_message_latency_seconds();
  }
  if (asked.series_interval().empty()) {
    report.clear_series();
    if (report.has_flow_summary()) report.mutable_flow_summary()->clear_convergence_seconds();
    for (v1::FaultReport& fault : *report.mutable_faults()) fault.clear_goodput_recovery_seconds();
    for (v1::ClassReport& of_class : *report.mutable_classes()) of_class.clear_goodput_recovery_seconds();
  }
  if (asked.link_interval().empty()) report.clear_link_series();
  report.clear_partition_timeline();
  return report;
}

absl::Status write_html(const std::string& file, std::string_view page) {
  return file.empty() ? absl::OkStatus() : support::write_file(file, page);
}

}  // namespace fabrictwin::cli::options

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/metrics/result_metrics.h"

#include <string>

#include "cosim/metric/metric.h"

namespace fabrictwin::run::metrics {
namespace {

/// With more flows, none has series of its own.
constexpr int kMostFlowsApart = 64;
/// Bytes of 10^9 bits.
constexpr double kBytesOfGbit = 1e9 / 8;

const metric::Counter kFalseMarks{
    {.name = "fabrictwin_false_marks_total",
     .help = "Marks of flows that cross no output which was congested by itself, when the run has ended",
     .order = 464,
     .in_report = false}};
const metric::Gauge kFlowJain{{.name = "fabrictwin_flow_jain_index",
                               .help = "Jain's index of the goodputs of all flows, when the run has ended",
                               .order = 480,
                               .in_report = false}};
const metric::Gauge kMinOverMaxMin{
    {.name = "fabrictwin_flow_min_over_max_min_ratio",
     .help = "The least goodput of a flow over its max-min fair rate, when the run has ended",
     .order = 481,
     .in_report = false}};
const metric::Gauge kJainOverMaxMin{{.name = "fabrictwin_flow_jain_over_max_min_index",
                                     .help = "Jain's index of goodputs over max-min fair rates, when the run has ended",
                                     .order = 482,
                                     .in_report = false}};
const metric::Gauge kConvergence{
    {.name = "fabrictwin_flow_convergence_seconds",
     .unit = "seconds",
     .help = "Simulated time from the last start or end of a flow until all have their fair shares, of an ended run",
     .order = 483,
     .in_report = false}};
const metric::Gauge kRecovery{
    {.name = "fabrictwin_fault_recovery_seconds",
     .unit = "seconds",
     .help = "Simulated time from the end of a fault until the queue at its link was empty, when the run has ended",
     .labels = {"fault", "link"},
     .order = 484,
     .in_report = false}};
const metric::Gauge kGoodputRecovery{
    {.name = "fabrictwin_fault_goodput_recovery_seconds",
     .unit = "seconds",
     .help = "Simulated time from the end of a fault until goodput was back at 95 % of before, when the run has ended",
     .labels = {"fault", "link"},
     .order = 484,
     .in_report = false}};
const metric::Gauge kClassRecovery{
    {.name = "fabrictwin_class_goodput_recovery_seconds",
     .unit = "seconds",
     .help = "Simulated time from the stop of a class of traffic until the goodput of the others was back at 95 % of "
             "before, when the run has ended",
     .labels = {"class"},
     .order = 484,
     .in_report = false}};
const metric::Gauge kFlowWindow{
    {.name = "fabrictwin_flow_window_goodput_bytes_per_second",
     .unit = "bytes_per_second",
     .help = "Goodput of one flow in the goodput window, of an ended run with at most 64 flows",
     .labels = {"flow", "source", "destination"},
     .order = 488,
     .in_report = false}};
const metric::Gauge kClassWindow{{.name = "fabrictwin_class_window_goodput_bytes_per_second",
                                  .unit = "bytes_per_second",
                                  .help = "Goodput of a class of traffic in the goodput window, when the run has ended",
                                  .labels = {"class"},
                                  .order = 489,
                                  .in_report = false}};
const metric::Gauge kQueuePercentile{
    {.name = "fabrictwin_queue_percentile_bytes",
     .unit = "bytes",
     .help = "Percentile over simulated time of the queue with the largest mean, when the run has ended",
     .labels = {"percentile"},
     .order = 486,
     .in_report = false}};
const metric::Gauge kJobSlowdown{{.name = "fabrictwin_mpi_job_slowdown_ratio",
                                  .help = "Time of a job over what it takes alone, when the run has ended",
                                  .labels = {"mpi_job"},
                                  .order = 487,
                                  .in_report = false}};
const metric::Gauge kImpact{
    {.name = "fabrictwin_gpcnet_impact_ratio",
     .help = "How much worse a test of GPCNeT is beside congestors: of its mean and of its 99th percentile",
     .labels = {"test", "statistic"},
     .order = 485,
     .in_report = false}};

void add_window(const v1::Report& report, metric::Sink& sink) {
  for (int i = 0; i < report.flows_size() && report.flows_size() <= kMostFlowsApart; ++i) {
    const v1::FlowReport& flow = report.flows(i);
    if (!flow.has_window_goodput_gbps()) continue;
    sink.add(kFlowWindow, flow.window_goodput_gbps() * kBytesOfGbit,
             {std::to_string(i), std::to_string(flow.source()), std::to_string(flow.destination())});
  }
  for (const v1::ClassReport& of_class : report.classes()) {
    if (of_class.has_window_goodput_gbps())
      sink.add(kClassWindow, of_class.window_goodput_gbps() * kBytesOfGbit, {of_class.name()});
    if (of_class.has_goodput_recovery_seconds())
      sink.add(kClassRecovery, of_class.goodput_recovery_seconds(), {of_class.name()});
  }
}

}  // namespace

void measure_result(const v1::Report& report, metric::Sink& sink) {
  if (report.control().has_false_marks()) sink.add(kFalseMarks, static_cast<double>(report.control().false_marks()));
  const v1::FlowSummary& flows = report.flow_summary();
  if (flows.has_jain_index()) sink.add(kFlowJain, flows.jain_index());
  if (flows.has_min_over_max_min()) sink.add(kMinOverMaxMin, flows.min_over_max_min());
  if (flows.has_jain_over_max_min()) sink.add(kJainOverMaxMin, flows.jain_over_max_min());
  if (flows.has_convergence_seconds()) sink.add(kConvergence, flows.convergence_seconds());
  for (int fault = 0; fault < report.faults_size(); ++fault) {
    const v1::FaultReport& line = report.faults(fault);
    if (line.has_recovery_seconds()) sink.add(kRecovery, line.recovery_seconds(), {std::to_string(fault), line.link()});
    if (line.has_goodput_recovery_seconds())
      sink.add(kGoodputRecovery, line.goodput_recovery_seconds(), {std::to_string(fault), line.link()});
  }
  add_window(report, sink);
  if (report.queues().has_p50_bytes()) sink.add(kQueuePercentile, report.queues().p50_bytes(), {"50"});
  if (report.queues().has_p99_bytes()) sink.add(kQueuePercentile, report.queues().p99_bytes(), {"99"});
  for (const v1::JobReport& job : report.jobs()) {
    if (job.has_slowdown()) sink.add(kJobSlowdown, job.slowdown(), {job.name()});
  }
  for (const v1::GpcnetRow& row : report.gpcnet().rows()) {
    if (row.cif_mean() > 0) sink.add(kImpact, row.cif_mean(), {row.test(), "mean"});
    if (row.cif_p99() > 0) sink.add(kImpact, row.cif_p99(), {row.test(), "p99"});
  }
}

}  // namespace fabrictwin::run::metrics

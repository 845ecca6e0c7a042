// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/validation_text.h"

#include <fmt/format.h>

#include <string_view>

#include "cosim/base/time.h"
#include "cosim/report/text_table.h"
#include "cosim/report/values_text.h"

namespace fabrictwin::report {
namespace {

std::string time_text(int64_t fs) { return to_string(Time::from_fs(fs)); }

std::string signed_percent(double share) { return fmt::format("{:+.2f} %", share * 100); }

void add_runs(const v1::ValidationReport& report, std::string& text) {
  TextTable table({"seed", "run", "compared", "in one only", "left out", "timing digest", "payload digest", "wall"});
  table.align_left(1);
  for (const v1::ValidatedRun& run : report.runs()) {
    const auto row = [&](const char* name, const v1::RunDigests& digests, bool first) {
      table.add({first ? fmt::format("{}", run.seed()) : "", name, first ? fmt::format("{}", run.compared()) : "",
                 fmt::format("{}", first ? run.only_in_model() : run.only_in_reference()),
                 first ? fmt::format("{}", run.left_out()) : "", digests.timing_digest(), digests.payload_digest(),
                 seconds_text(digests.wall_seconds())});
    };
    row("model", run.model(), true);
    row("reference", run.reference(), false);
  }
  text += table.text();
}

void add_errors(const v1::LatencyErrors& errors, std::string& text) {
  text += fmt::format("\nlatencies of {} messages: mean {} (model), {} (reference), {}; {} exact\n", errors.messages(),
                      seconds_text(errors.mean_model_seconds()), seconds_text(errors.mean_reference_seconds()),
                      signed_percent(errors.error_of_mean()), errors.exact());
  if (errors.messages() == 0) return;
  TextTable table({"error of a message", "mean", "p50", "p99", "max"});
  const v1::MessageDistribution& relative = errors.relative();
  const v1::MessageDistribution& absolute = errors.absolute_seconds();
  table.add({"relative", percent_text(relative.mean()), percent_text(relative.p50()), percent_text(relative.p99()),
             percent_text(relative.max())});
  table.add({"absolute", seconds_text(absolute.mean()), seconds_text(absolute.p50()), seconds_text(absolute.p99()),
             seconds_text(absolute.max())});
  text += table.text();

  text += "\nmessages by relative error\n";
  TextTable histogram({"error", "model early", "model late"});
  histogram.add({"none", fmt::format("{}", errors.exact()), ""});
  for (const v1::ErrorBucket& bucket : errors.histogram()) {
    const std::string range = bucket.has_up_to() ? fmt::format("to {:g} %", bucket.up_to() * 100)
                                                 : fmt::format("above {:g} %", bucket.above() * 100);
    histogram.add({range, fmt::format("{}", bucket.early()), fmt::format("{}", bucket.late())});
  }
  text += histogram.text();
  if (errors.worst().empty()) return;

  text += "\nworst messages\n";
  TextTable worst({"seed", "source", "destination", "number", "bytes", "sent", "arrived", "sent (reference)",
                   "arrived (reference)", "error"});
  worst.set_keys(4);
  for (const v1::MessageError& error : errors.worst()) {
    worst.add({fmt::format("{}", error.seed()), fmt::format("{}", error.source()),
               fmt::format("{}", error.destination()), fmt::format("{}", error.number()),
               fmt::format("{}", error.bytes()), time_text(error.model_sent_fs()), time_text(error.model_arrived_fs()),
               time_text(error.reference_sent_fs()), time_text(error.reference_arrived_fs()),
               signed_percent(error.relative())});
  }
  text += worst.text();
}

/// What coarser routers change for messages of an island.
void add_island(const v1::IslandErrors& island, std::string& text) {
  text += fmt::format(
      "\nmessages that begin or end at {} beside routers of words, with the\ncoarser routers of the "
      "experiment and with words only\n",
      island.hosts() == 1 ? "1 host" : fmt::format("{} hosts", island.hosts()));
  TextTable table({"messages", "number", "latency", "coarser", "words", "error"});
  table.align_left(2);
  for (const v1::IslandLatencies& group : island.latencies()) {
    const auto row = [&](const char* name, double ours, double theirs, double error) {
      const bool first = name == std::string_view("mean");
      table.add({first ? group.messages() : "", first ? fmt::format("{}", group.count()) : "", name, seconds_text(ours),
                 seconds_text(theirs), signed_percent(error)});
    };
    const v1::MessageDistribution& ours = group.model_seconds();
    const v1::MessageDistribution& theirs = group.reference_seconds();
    row("mean", ours.mean(), theirs.mean(), group.error_of_mean());
    row("p50", ours.p50(), theirs.p50(), group.error_of_p50());
    row("p99", ours.p99(), theirs.p99(), group.error_of_p99());
  }
  text += table.text();
  if (island.latencies().empty()) {
    text += "no message begins or ends there\n";
    return;
  }
  text += fmt::format("error of the mean of all {}, tolerance {:g} %: {}\n",
                      signed_percent(island.latencies(0).error_of_mean()), island.tolerance() * 100,
                      island.within_tolerance() ? "kept" : "exceeded");
}

std::string residual_text(const v1::CalibrationError& error) {
  return fmt::format("mean {}, max {}, rms {}, {} of {} exact", percent_text(error.mean_relative()),
                     percent_text(error.max_relative()), seconds_text(error.rms_seconds()), error.exact(),
                     error.probes());
}

}  // namespace

std::string calibration_text(const v1::ModelCalibration& calibration) {
  std::string text = fmt::format("calibration in the RTL of {}: {} single messages\n", calibration.topology(),
                                 calibration.probe_size());
  text += fmt::format("  error before  {}\n  error after   {}\n", residual_text(calibration.before()),
                      residual_text(calibration.residual()));
  TextTable table({"parameter", "value", "unit", "standard error", "note"});
  table.align_left(2);
  table.align_left(4);
  for (const v1::CalibratedParameter& parameter : calibration.parameter()) {
    table.add({parameter.name(), fmt::format("{}", parameter.value()), parameter.unit(),
               parameter.identified() ? fmt::format("{:.2g}", parameter.standard_error()) : "-", parameter.note()});
  }
  return text + table.text();
}

std::string validation_text(const v1::ValidationReport& report) {
  std::string text = fmt::format("experiment  {}\ntopology    {}\n", report.experiment(), report.topology());
  for (const std::string& rule : report.reference()) text += fmt::format("reference   {}\n", rule);
  if (report.has_calibration()) text.append("\n").append(calibration_text(report.calibration()));
  text += "\n";
  add_runs(report, text);
  add_errors(report.errors(), text);
  text +=
      fmt::format("\nmean relative error {}, tolerance {:g} %: {}\n", percent_text(report.errors().relative().mean()),
                  report.tolerance() * 100, report.within_tolerance() ? "kept" : "exceeded");
  if (report.has_island()) add_island(report.island(), text);
  return text;
}

}  // namespace fabrictwin::report

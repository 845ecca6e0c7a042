// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/point/outcome.h"

#include <fmt/format.h>
#include <google/protobuf/util/json_util.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/report/message_json.h"
#include "workloads/traffic/spec.h"

namespace fabrictwin::study::point {
namespace {

using nlohmann::ordered_json;

experiment::Experiment with_load(experiment::Experiment experiment, double load) {
  experiment.workload_as<traffic::TrafficSpec>()->load = load;
  experiment.message.mutable_workload()->mutable_traffic()->set_load(load);
  return experiment;
}

double max_load(const experiment::Experiment& experiment) {
  const auto& traffic = *experiment.workload_as<traffic::TrafficSpec>();
  return traffic.process == v1::BURSTY ? traffic.burst_load : 1.0;
}

ordered_json search_json(const SaturationResult& search) {
  ordered_json probes = ordered_json::array();
  for (const SaturationResult::Probe& probe : search.probes) {
    probes.push_back(
        {{"load", probe.load}, {"saturated", probe.saturated}, {"report", report::message_object(probe.report)}});
  }
  return {{"load", search.load},
          {"load_above", search.load_above},
          {"throughput", search.throughput},
          {"probes", std::move(probes)}};
}

absl::Status parse_report(const ordered_json& json, v1::Report& report) {
  const auto parsed = google::protobuf::util::JsonStringToMessage(json.dump(), &report);
  if (parsed.ok()) return absl::OkStatus();
  return absl::DataLossError(fmt::format("it has a report of another kind: {}", parsed.ToString()));
}

absl::Status parse_search(const ordered_json& json, SaturationResult& search) {
  search.load = json.at("load").get<double>();
  search.load_above = json.at("load_above").get<double>();
  search.throughput = json.at("throughput").get<double>();
  for (const ordered_json& each : json.at("probes")) {
    SaturationResult::Probe& probe = search.probes.emplace_back();
    probe.load = each.at("load").get<double>();
    probe.saturated = each.at("saturated").get<bool>();
    if (absl::Status status = parse_report(each.at("report"), probe.report); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

Outcome run_point(const experiment::Experiment& experiment, std::optional<double> precision,
                  const std::function<absl::StatusOr<v1::Report>(const experiment::Experiment&)>& run) {
  Outcome outcome;
  if (precision.has_value()) {
    outcome.status = find_saturation(
        *precision, max_load(experiment), [&](double load) { return run(with_load(experiment, load)); },
        outcome.saturation);
    return outcome;
  }
  absl::StatusOr<v1::Report> report = run(experiment);
  outcome.status = report.status();
  if (report.ok()) outcome.report = *std::move(report);
  return outcome;
}

ordered_json outcome_json(const Outcome& outcome) {
  ordered_json json = {{"code", static_cast<int>(outcome.status.code())},
                       {"error", std::string(message_of(outcome.status))}};
  if (!outcome.saturation.probes.empty()) json["search"] = search_json(outcome.saturation);
  if (outcome.status.ok() && outcome.saturation.probes.empty()) json["report"] = report::message_object(outcome.report);
  return json;
}

absl::StatusOr<Outcome> parse_outcome(const ordered_json& json) {
  try {
    Outcome outcome;
    outcome.status =
        absl::Status(static_cast<absl::StatusCode>(json.at("code").get<int>()), json.at("error").get<std::string>());
    absl::Status parsed;
    if (json.contains("search")) parsed = parse_search(json.at("search"), outcome.saturation);
    if (parsed.ok() && json.contains("report")) parsed = parse_report(json.at("report"), outcome.report);
    if (!parsed.ok()) return parsed;
    return outcome;
  } catch (const nlohmann::json::exception& error) {
    return absl::DataLossError(fmt::format("it is no outcome of a run: {}", error.what()));
  }
}

}  // namespace fabrictwin::study::point

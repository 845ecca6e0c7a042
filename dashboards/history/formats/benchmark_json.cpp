// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/formats/benchmark_json.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace fabrictwin::dashboards::history::formats {
namespace {

using nlohmann::ordered_json;

std::string string_of(const ordered_json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Numbers of a benchmark that are no measurements.
bool is_bookkeeping(std::string_view key) {
  constexpr std::array<std::string_view, 7> kKeys{
      "family_index",   "per_family_instance_index", "repetitions", "repetition_index", "threads", "iterations",
      "bytes_processed"};
  for (const std::string_view each : kKeys)
    if (key == each) return true;
  return false;
}

bool is_time(std::string_view key) { return key == "real_time" || key == "cpu_time"; }

/// An error for times that are no numbers, or have no unit that the library knows.
absl::Status check_times(const ordered_json& benchmark, const std::string& name, const std::string& file) {
  const std::string unit = string_of(benchmark, "time_unit");
  for (const auto& [key, value] : benchmark.items()) {
    if (!is_time(key)) continue;
    if (!value.is_number())
      return absl::InvalidArgumentError(fmt::format("{}: error: {} of {} is no number", file, key, name));
    if (unit != "ns" && unit != "us" && unit != "ms" && unit != "s") {
      return absl::InvalidArgumentError(
          fmt::format("{}: error: time_unit \"{}\" of {} is not ns, us, ms or s", file, unit, name));
    }
  }
  return absl::OkStatus();
}

/// Whether a benchmark was not measured; its times are zero.
bool is_skipped(const ordered_json& benchmark) {
  if (const auto skipped = benchmark.find("skipped"); skipped != benchmark.end() && *skipped == true) return true;
  const auto iterations = benchmark.find("iterations");
  return benchmark.contains("skip_message") && iterations != benchmark.end() && *iterations == 0;
}

void add_metrics(const ordered_json& benchmark, const std::string& name, Result& result) {
  const std::string unit = string_of(benchmark, "time_unit");
  for (const auto& [key, value] : benchmark.items()) {
    if (!value.is_number() || is_bookkeeping(key)) continue;
    const bool time = is_time(key);
    const bool rate = key.ends_with("per_second") || key.ends_with("/s");
    result.metrics.push_back({fmt::format("{}.{}", name, key),
                              time   ? unit
                              : rate ? "1/s"
                                     : "",
                              rate ? Better::kHigher : Better::kLower, value.get<double>()});
  }
}

}  // namespace

bool is_benchmark_json(const ordered_json& json) {
  return json.is_object() && json.contains("context") && json.contains("benchmarks") && json["benchmarks"].is_array();
}

absl::StatusOr<std::vector<Result>> benchmark_results(const ordered_json& json, const std::string& file,
                                                      const v1::Provenance& here) {
  const ordered_json& context = json["context"];
  Result empty;
  empty.name = std::filesystem::path(string_of(context, "executable")).filename().string();
  if (empty.name.empty()) empty.name = std::filesystem::path(file).stem().string();
  empty.kind = "benchmark";
  empty.provenance = here;
  absl::Time date;
  if (absl::ParseTime(absl::RFC3339_full, string_of(context, "date"), &date, nullptr))
    empty.provenance.set_date(absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", date, absl::UTCTimeZone()));
  if (const std::string host = string_of(context, "host_name"); !host.empty() && host != here.host()) {
    // What is known of this machine does not hold for another one.
    empty.provenance.set_host(host);
    empty.provenance.clear_cpu();
    empty.provenance.clear_cores();
    empty.provenance.clear_system();
  }
  std::map<int64_t, Result> repetitions;
  std::map<int64_t, Result> aggregates;
  std::set<std::tuple<bool, int64_t, std::string>> known;
  // Old versions of the library do not number repetitions.
  std::map<std::pair<bool, std::string>, int64_t> occurrences;
  for (const ordered_json& benchmark : json["benchmarks"]) {
    if (!benchmark.is_object())
      return absl::InvalidArgumentError(fmt::format("{}: error: a benchmark is no object", file));
    const std::string name = string_of(benchmark, "name");
    if (const auto failed = benchmark.find("error_occurred"); failed != benchmark.end() && *failed == true) {
      return absl::InvalidArgumentError(fmt::format("{}: error: {} has failed ({}); mend it and measure again", file,
                                                    name, string_of(benchmark, "error_message")));
    }
    if (is_skipped(benchmark)) continue;
    if (absl::Status status = check_times(benchmark, name, file); !status.ok()) return status;
    const bool aggregate = string_of(benchmark, "run_type") == "aggregate";
    if (aggregate && string_of(benchmark, "aggregate_name") != "median") continue;
    const std::string run = string_of(benchmark, "run_name");
    const std::string& plain = run.empty() ? name : run;
    const auto index = benchmark.find("repetition_index");
    const bool numbered = index != benchmark.end() && index->is_number_integer();
    const int64_t repetition = numbered ? index->get<int64_t>() : occurrences[{aggregate, plain}]++;
    if (!known.emplace(aggregate, repetition, plain).second) {
      return absl::InvalidArgumentError(
          fmt::format("{}: error: {} is there twice with the repetition_index {}; a result has one value of a metric",
                      file, name, repetition));
    }
    Result& result = (aggregate ? aggregates : repetitions).try_emplace(repetition, empty).first->second;
    add_metrics(benchmark, plain, result);
  }
  std::vector<Result> results;
  for (auto& [index, result] : repetitions.empty() ? aggregates : repetitions) results.push_back(std::move(result));
  if (results.empty()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: error: there is no benchmark in it{}", file,
                    json["benchmarks"].empty() ? "" : " that was measured and is no mean or other statistic"));
  }
  return results;
}

}  // namespace fabrictwin::dashboards::history::formats

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/formats/report_json.h"

#include <fmt/format.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "cosim/base/text.h"
#include "dashboards/history/formats/figure_lines.h"

namespace fabrictwin::dashboards::history::formats {
namespace {

using nlohmann::ordered_json;

bool is_measured(std::string_view key) { return key.find("wall") != std::string_view::npos; }

std::string_view unit_of(std::string_view key) {
  if (key.ends_with("bytes_per_second")) return "B/s";
  if (key.ends_with("per_second") || key == "message_rate") return "1/s";
  if (key.ends_with("_seconds") || key == "seconds") return "s";
  if (key.ends_with("_fs")) return "fs";
  if (key.find("bytes") != std::string_view::npos) return "B";
  return "";
}

/// Whether a number has the unit that its object, or one around it, names in a field "unit".
bool has_named_unit(std::string_view key) {
  constexpr std::array<std::string_view, 5> kKeys{"value", "min", "max", "paper", "predicted"};
  return std::ranges::find(kKeys, key) != kKeys.end();
}

std::string text_of(const ordered_json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// What the experiments of the elements of a list are called, by the file that was named: its stem, so that metrics
/// have the same names from whatever folder a command is called, or the whole path where another file has the same
/// stem.
std::map<std::string, std::string> experiment_names(const ordered_json& list) {
  std::map<std::string, std::string> names;
  std::map<std::string, int> files_of;
  for (const ordered_json& element : list) {
    if (!element.is_object()) continue;
    const auto found = element.find("experiment");
    if (found == element.end() || !found->is_string()) continue;
    const std::string file = found->get<std::string>();
    const std::string stem = std::filesystem::path(file).stem().string();
    if (names.emplace(file, stem).second) ++files_of[stem];
  }
  for (auto& [file, name] : names) {
    if (files_of[name] > 1 || name.empty()) name = file;
  }
  return names;
}

/// The name of an element of a list: what it says of itself, or its index.
std::string name_of(const ordered_json& element, size_t index, const std::map<std::string, std::string>& experiments) {
  std::string name;
  if (element.is_object()) {
    if (const auto settings = element.find("settings"); settings != element.end() && settings->is_object()) {
      for (const auto& [path, value] : settings->items())
        name += fmt::format("{}{}={}", name.empty() ? "" : ",", path, text_of(value));
    }
    for (const char* key : {"experiment", "scheme", "name", "class", "id", "benchmark", "size", "bytes", "seed"}) {
      const auto found = element.find(key);
      if (found == element.end() || found->is_structured()) continue;
      const std::string text = text_of(*found);
      const auto experiment = std::string_view(key) == "experiment" ? experiments.find(text) : experiments.end();
      name += (name.empty() ? "" : ",") + (experiment == experiments.end() ? text : experiment->second);
    }
  }
  return name.empty() ? fmt::format("{}", index) : name;
}

/// What is known of a value from what is around it.
struct Around {
  std::string_view key;
  bool measured = false;  ///< It changes from one run to the next.
  std::string unit{};     ///< The one that an object names.
};

void flatten(const ordered_json& value, const std::string& name, const Around& around, Result& result) {
  if (value.is_object()) {
    const auto unit = value.find("unit");
    const bool named = unit != value.end() && unit->is_string();
    for (const auto& [inner, each] : value.items()) {
      if (is_left_out(inner)) continue;
      flatten(each, name.empty() ? inner : fmt::format("{}.{}", name, inner),
              {inner, around.measured || is_measured(inner), named ? unit->get<std::string>() : around.unit}, result);
    }
  } else if (value.is_array()) {
    const std::map<std::string, std::string> experiments = experiment_names(value);
    for (size_t i = 0; i < value.size(); ++i) {
      if (!value[i].is_object()) continue;
      flatten(value[i], fmt::format("{}[{}]", name, name_of(value[i], i, experiments)), around, result);
    }
  } else if (value.is_number() || value.is_boolean()) {
    const double number = value.is_boolean() ? (value.get<bool>() ? 1 : 0) : value.get<double>();
    if (!std::isfinite(number)) return;
    const std::string unit = has_named_unit(around.key) ? around.unit : std::string(unit_of(around.key));
    result.metrics.push_back({name, unit, around.measured ? better_of_unit(unit) : Better::kExact, number});
  } else if (value.is_string() && around.key.ends_with("_digest")) {
    result.texts.push_back({name, value.get<std::string>()});
  }
}

/// The name of a time or a rate that is a text; empty if there is none. Settings are texts.
std::string text_for_number(const ordered_json& value, const std::string& name) {
  const bool object = value.is_object();
  if (!object && !value.is_array()) return {};
  for (const auto& [key, each] : value.items()) {
    if (object && (is_left_out(key) || key == "settings")) continue;
    const std::string inner = !object        ? fmt::format("{}[{}]", name, key)
                              : name.empty() ? key
                                             : fmt::format("{}.{}", name, key);
    const bool number = key.ends_with("_seconds") || key.ends_with("per_second");
    if (object && number && !each.is_number() && !each.is_null() && !each.is_structured()) return inner;
    if (std::string wrong = text_for_number(each, inner); !wrong.empty()) return wrong;
  }
  return {};
}

/// The subcommand of "'/opt/my tools/fabrictwin' run FILE": the word behind the program; empty if it is none that has
/// results.
std::string_view subcommand_of(std::string_view command) {
  constexpr std::array<std::string_view, 7> kCommands{"run",      "compare", "osu",  "reproduce",
                                                      "validate", "karma",   "nanet"};
  const size_t program = command.starts_with("'") ? command.find("' ") : command.find(' ');
  if (program == std::string_view::npos) return {};
  const std::vector<std::string_view> words = split(command.substr(command.find(' ', program) + 1), " ");
  return std::ranges::find(kCommands, words[0]) == kCommands.end() ? std::string_view() : words[0];
}

/// A result of an OSU benchmark has the name of the benchmark, one of an experiment that of its file, and others say
/// their name.
std::string name_of_result(const ordered_json& json) {
  if (const auto name = json.find("name"); name != json.end() && name->is_string()) return name->get<std::string>();
  if (const auto benchmark = json.find("benchmark"); benchmark != json.end() && benchmark->is_string())
    return benchmark->get<std::string>();
  const ordered_json* holder = &json;
  if (const auto run = json.find("run"); run != json.end() && run->is_object()) holder = &*run;
  const auto found = holder->find("experiment");
  if (found == holder->end() || !found->is_string()) return {};
  return std::filesystem::path(found->get<std::string>()).stem().string();
}

}  // namespace

bool is_left_out(std::string_view key) {
  constexpr std::array<std::string_view, 19> kKeys{
      "links",        "ranks",    "partitions",   "flows",  "series",     "link_series",
      "occupancy",    "trees",    "metrics",      "run",    "provenance", "buckets",
      "worst",        "warnings", "packet_trace", "probes", "sweep",      "partition_timeline",
      "rank_timeline"};
  for (const std::string_view each : kKeys)
    if (key == each) return true;
  return false;
}

absl::StatusOr<Result> report_result(const ordered_json& json, const std::string& file, const v1::Provenance& here) {
  Result result;
  result.provenance = here;
  const bool own = json.is_object() && json.contains("provenance");
  if (own) {
    google::protobuf::util::JsonParseOptions newer;
    newer.ignore_unknown_fields = true;
    result.provenance.Clear();
    if (!google::protobuf::util::JsonStringToMessage(json["provenance"].dump(), &result.provenance, newer).ok())
      return absl::InvalidArgumentError(
          fmt::format("{}: error: its provenance cannot be read; take the report as fabrictwin has written it", file));
  } else if (!json.is_object() || !json.contains("timing_digest")) {
    return absl::InvalidArgumentError(
        fmt::format("{}: error: it is neither a report of fabrictwin (run, compare, osu, reproduce, validate, karma or "
                    "nanet with --json) nor one of Google Benchmark; write other numbers as lines NAME VALUE UNIT",
                    file));
  }
  // What says nothing of its date is of now.
  if (result.provenance.date().empty()) result.provenance.set_date(here.date());
  // Reports of versions without provenance have a digest if they are of runs.
  result.kind = own ? subcommand_of(result.provenance.command()) : "run";
  if (result.kind.empty()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: error: its provenance.command \"{}\" is none of fabrictwin run, compare, osu, reproduce, "
                    "validate, karma and nanet; write numbers of other programs as lines NAME VALUE UNIT",
                    file, result.provenance.command()));
  }
  const auto complete = json.find("complete");
  if (complete != json.end() && !complete->is_boolean())
    return absl::InvalidArgumentError(fmt::format("{}: error: its field complete is neither true nor false", file));
  if (complete != json.end() && *complete == false) {
    return absl::InvalidArgumentError(
        fmt::format("{}: error: the report is of a run that ended early, and its numbers are those of a part", file));
  }
  result.name = name_of_result(json);
  if (result.name.empty()) result.name = own ? result.kind : std::filesystem::path(file).stem().string();
  if (const std::string wrong = text_for_number(json, ""); !wrong.empty()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: error: {} is no number; take the report as fabrictwin has written it", file, wrong));
  }
  flatten(json, "", {}, result);
  if (result.metrics.empty())
    return absl::InvalidArgumentError(fmt::format("{}: error: there is no number in it; take the whole report", file));
  return result;
}

}  // namespace fabrictwin::dashboards::history::formats

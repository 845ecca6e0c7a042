// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/slurm/study_file.h"

#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "cosim/report/message_json.h"

namespace fabrictwin::cli::slurm {
namespace {

using nlohmann::ordered_json;

constexpr int kFormat = 2;

ordered_json settings_json(const TaskSettings& settings) {
  ordered_json json = {{"directory", settings.directory},
                       {"whole_reports", settings.whole_reports},
                       {"threads", settings.threads},
                       {"watchdog", settings.watchdog},
                       {"pin", settings.pin},
                       {"tls_cert", settings.security.tls.cert},
                       {"tls_key", settings.security.tls.key},
                       {"tls_ca", settings.security.tls.ca},
                       {"insecure", settings.security.insecure},
                       {"no_shm", settings.security.no_shm}};
  if (settings.precision.has_value()) json["precision"] = *settings.precision;
  return json;
}

TaskSettings parse_settings(const ordered_json& json) {
  TaskSettings settings;
  json.at("directory").get_to(settings.directory);
  json.at("whole_reports").get_to(settings.whole_reports);
  json.at("threads").get_to(settings.threads);
  json.at("watchdog").get_to(settings.watchdog);
  json.at("pin").get_to(settings.pin);
  json.at("tls_cert").get_to(settings.security.tls.cert);
  json.at("tls_key").get_to(settings.security.tls.key);
  json.at("tls_ca").get_to(settings.security.tls.ca);
  json.at("insecure").get_to(settings.security.insecure);
  json.at("no_shm").get_to(settings.security.no_shm);
  if (json.contains("precision")) settings.precision = json.at("precision").get<double>();
  return settings;
}

/// Line number `number` of a file, from 0, read by `parse`.
template <typename Value>
absl::StatusOr<Value> read_line(const std::string& file, size_t number, Value (*parse)(const ordered_json&)) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return absl::NotFoundError(fmt::format("cannot read {}", file));
  std::string line;
  for (size_t i = 0; i <= number; ++i) {
    if (!std::getline(stream, line)) return absl::OutOfRangeError(fmt::format("{} has no line {}", file, number + 1));
  }
  try {
    return parse(ordered_json::parse(line));
  } catch (const nlohmann::json::exception& error) {
    return absl::DataLossError(fmt::format("{}, line {}, is none of a study: {}", file, number + 1, error.what()));
  }
}

StudyHeader parse_header(const ordered_json& json) {
  StudyHeader header;
  // A study of another format is one of another program, whatever else it says.
  json.at("program").get_to(header.identity.program);
  if (json.at("format").get<int>() != kFormat) return header;
  json.at("fingerprint").get_to(header.identity.fingerprint);
  json.at("points").get_to(header.points);
  header.settings = parse_settings(json.at("settings"));
  return header;
}

StudyPoint parse_point(const ordered_json& json) {
  return {json.at("name").get<std::string>(), json.at("experiment").get<std::string>(),
          json.at("text").get<std::string>()};
}

}  // namespace

std::string study_text(const Study& study) {
  const ordered_json header = {{"format", kFormat},
                               {"program", study.identity.program},
                               {"fingerprint", study.identity.fingerprint},
                               {"points", study.points.size()},
                               {"settings", settings_json(study.settings)}};
  std::string text = report::json_text(header) + "\n";
  for (const StudyPoint& point : study.points) {
    const ordered_json line = {{"name", point.name}, {"experiment", point.experiment}, {"text", point.text}};
    text += report::json_text(line) + "\n";
  }
  return text;
}

absl::StatusOr<StudyHeader> read_study_header(const std::string& file) { return read_line(file, 0, parse_header); }

absl::StatusOr<StudyPoint> read_study_point(const std::string& file, size_t index) {
  return read_line(file, index + 1, parse_point);
}

}  // namespace fabrictwin::cli::slurm

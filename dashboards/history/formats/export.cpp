// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/formats/export.h"

#include <fmt/format.h>

#include <string>

#include "absl/strings/str_replace.h"
#include "cosim/base/text.h"
#include "dashboards/history/text.h"

namespace fabrictwin::dashboards::history::formats {
namespace {

std::string csv_rows(const Result& result) {
  const std::string begin = fmt::format("{},{},{},{},{},{}", result.id, csv_cell(result.name), csv_cell(result.kind),
                                        csv_cell(result.provenance.date()), csv_cell(commit_name(result.provenance)),
                                        csv_cell(machine_name(result.provenance)));
  std::string rows;
  for (const Metric& each : result.metrics) {
    rows += fmt::format("{},{},{},{},{}\n", begin, csv_cell(each.name), each.value, csv_cell(each.unit),
                        better_name(each.better));
  }
  for (const Text& each : result.texts)
    rows += fmt::format("{},{},{},,exact\n", begin, csv_cell(each.name), csv_cell(each.value));
  return rows;
}

}  // namespace

absl::Status export_csv(const Database& database, std::span<const ResultKey> results, Write write) {
  if (absl::Status status = write("id,name,kind,date,commit,machine,metric,value,unit,better\n"); !status.ok())
    return status;
  for (const ResultKey& key : results) {
    const absl::StatusOr<Result> result = database.get(key.id);
    if (!result.ok()) return result.status();
    if (absl::Status status = write(csv_rows(*result)); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status export_json(const Database& database, std::span<const ResultKey> results, Write write) {
  if (results.empty()) return write("{\n  \"results\": []\n}\n");
  std::string_view before = "{\n  \"results\": [\n    ";
  for (const ResultKey& key : results) {
    const absl::StatusOr<Result> result = database.get(key.id);
    if (!result.ok()) return result.status();
    std::string object = show_json(*result);
    object.pop_back();  // The end of its last line.
    // Strings have no line ends in JSON, so all that there are begin a line, which is two levels further in here.
    object = absl::StrReplaceAll(object, {{"\n", "\n    "}});
    if (absl::Status status = write(fmt::format("{}{}", before, object)); !status.ok()) return status;
    before = ",\n    ";
  }
  return write("\n  ]\n}\n");
}

}  // namespace fabrictwin::dashboards::history::formats

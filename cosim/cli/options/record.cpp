// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/options/record.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <filesystem>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/text.h"
#include "cosim/cli/options/checks.h"
#include "cosim/cli/support/console.h"
#include "dashboards/history/database.h"
#include "dashboards/history/formats/import.h"

namespace fabrictwin::cli::options {
namespace {

absl::StatusOr<dashboards::history::Database> open_history(const RecordArguments& arguments) {
  const absl::StatusOr<std::string> file = history_file(arguments.database);
  if (!file.ok()) return file.status();
  const std::filesystem::path folder = std::filesystem::path(*file).parent_path();
  if (!folder.empty()) {
    if (absl::Status status = support::make_folder(folder.string()); !status.ok()) return status;
  }
  return dashboards::history::Database::open(*file, true);
}

}  // namespace

absl::StatusOr<std::string> history_file(const std::string& named) {
  if (!named.empty()) return named;
  const char* const data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && *data != '\0') return fmt::format("{}/fabrictwin/history.db", data);
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home == '\0')
    return absl::InvalidArgumentError("there is no HOME, where the history would be; name a file with --db");
  return fmt::format("{}/.local/share/fabrictwin/history.db", home);
}

void add_record_option(CLI::App& command, RecordArguments& arguments) {
  CLI::Option* record =
      command.add_flag("--record", arguments.record, "Put the result into the history (see fabrictwin history)");
  command.add_option("--db", arguments.database, "The history (default: ~/.local/share/fabrictwin/history.db)")
      ->type_name("FILE")
      ->check(not_empty("name a file, as in --db history.db"))
      ->needs(record);
}

absl::Status check_record(const RecordArguments& arguments) {
  if (!arguments.record) return absl::OkStatus();
  const absl::StatusOr<std::string> file = history_file(arguments.database);
  if (!file.ok()) return absl::InvalidArgumentError(fmt::format("--record: {}", message_of(file.status())));
  const std::filesystem::path path = *file;
  std::error_code ignored;
  // Nothing is made before there is a result.
  if (std::filesystem::exists(path, ignored)) {
    const absl::Status status = dashboards::history::Database::check_writable(*file);
    return status.ok() ? status : absl::InvalidArgumentError(fmt::format("--record: {}", message_of(status)));
  }
  const absl::Status status =
      support::check_folder(path.has_parent_path() ? path.parent_path().string() : ".", path.filename().string());
  if (status.ok()) return status;
  return absl::InvalidArgumentError(
      fmt::format("--record: {}; the history would be {}, and --db names another file", message_of(status), *file));
}

support::NamedFile recorded_file(const RecordArguments& arguments) {
  if (!arguments.record) return {"--db", {}};
  return {"--db", history_file(arguments.database).value_or(std::string())};
}

absl::Status record(const RecordArguments& arguments, std::string_view report) {
  if (!arguments.record) return absl::OkStatus();
  const absl::StatusOr<dashboards::history::Result> result =
      dashboards::history::formats::import_report(report, "--record");
  if (!result.ok()) return result.status();
  absl::StatusOr<dashboards::history::Database> database = open_history(arguments);
  if (!database.ok()) return database.status();
  const absl::StatusOr<std::vector<int64_t>> ids = database->add(std::span(&*result, 1));
  if (!ids.ok()) return ids.status();
  spdlog::info("recorded as result {} of {}", ids->front(), database->file());
  return absl::OkStatus();
}

}  // namespace fabrictwin::cli::options

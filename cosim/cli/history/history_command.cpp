// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/history/history_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/cli/history/work.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/option_checks.h"
#include "cosim/cli/support/record_option.h"
#include "cosim/cli/support/run_choices.h"
#include "dashboards/history/database.h"

namespace fabrictwin::cli::history {
namespace {

using dashboards::history::Database;

constexpr int kMostResults = 1'000'000'000;

support::ExitCode execute(const Arguments& arguments, bool create, const std::function<Work>& work) {
  const absl::StatusOr<std::string> file = support::history_file(arguments.database);
  if (!file.ok()) return fail(support::ExitCode::kUsage, message_of(file.status()));
  const std::string folder = std::filesystem::path(*file).parent_path().string();
  if (create && !folder.empty()) {
    if (absl::Status status = support::make_folder(folder); !status.ok())
      return fail(support::ExitCode::kUsage, message_of(status));
  }
  absl::StatusOr<Database> database = Database::open(*file, create);
  if (!database.ok()) return fail(support::ExitCode::kUsage, message_of(database.status()));
  support::ExitCode code = support::ExitCode::kOk;
  const absl::StatusOr<std::string> text = work(*database, arguments, code);
  if (!text.ok()) {
    const bool mistake = absl::IsInvalidArgument(text.status()) || absl::IsNotFound(text.status());
    return fail(mistake ? support::ExitCode::kUsage : support::ExitCode::kRunFailed, message_of(text.status()));
  }
  const absl::Status printed = support::print_data(*text);
  return printed.ok() ? code : fail(support::ExitCode::kRunFailed, message_of(printed));
}

/// The subcommands of one parent, with what they have in common.
class Subcommands {
 public:
  Subcommands(CLI::App& parent, support::ExitCode& exit_code) : parent_(parent), exit_code_(exit_code) {}

  /// `create`: a missing database is made.
  CLI::App& add(const char* name, const char* what, std::function<Work> work, Arguments*& arguments,
                bool create = false) {
    CLI::App* command = parent_.add_subcommand(name, what);
    auto made = std::make_shared<Arguments>();
    arguments = made.get();
    command->add_option("--db", made->database, "The history (default: ~/.local/share/fabrictwin/history.db)")
        ->type_name("FILE")
        ->check(support::not_empty("name a file, as in --db history.db"));
    command->add_flag("--json", made->json, "Print one JSON object");
    command->callback(
        [made, create, work = std::move(work), &exit_code = exit_code_] { exit_code = execute(*made, create, work); });
    return *command;
  }

 private:
  CLI::App& parent_;
  support::ExitCode& exit_code_;
};

void add_name_option(CLI::App& command, Arguments& arguments) {
  command.add_option("--name", arguments.filter.name, "Only results of this name, which may have * and ?")
      ->type_name("NAME");
}

void add_filter(CLI::App& command, Arguments& arguments) {
  add_name_option(command, arguments);
  command.add_option("--commit", arguments.filter.commit, "Only results of the commit that begins so")
      ->type_name("COMMIT");
  command.add_option("--last", arguments.filter.limit, "Only the newest N results")
      ->type_name("N")
      ->check(CLI::Range(1, kMostResults));
}

void add_significance(CLI::App& command, Arguments& arguments) {
  command
      .add_option("--alpha", arguments.check.significance.alpha,
                  "The largest probability of a false alarm, over all measured metrics")
      ->check(support::real_range(1e-9, 0.5))
      ->capture_default_str();
  command
      .add_option("--least-change", arguments.least_change,
                  "Changes of measured metrics below this many per cent are none")
      ->type_name("PERCENT")
      ->check(support::real_range(0, 100))
      ->capture_default_str();
}

void add_adding(Subcommands& commands) {
  Arguments* arguments = nullptr;
  CLI::App& command = commands.add("add", "Put results of files into the history", add_results, arguments, true);
  command
      .add_option(
          "FILE", arguments->files,
          "Reports of fabrictwin (--json), Google Benchmark (--benchmark_format=json), or lines NAME VALUE UNIT "
          "[lower|higher|exact]; - is the standard input")
      ->required()
      ->type_name("");
  command.add_option("--name", arguments->import.name, "Name of the results (default: what their file says)")
      ->type_name("NAME");
  command.add_option("--commit", arguments->import.commit, "The commit that was measured")->type_name("COMMIT");
  command.add_option("--date", arguments->import.date, "When: 2026-03-01 or 2026-03-01T12:00:00Z (default: now)")
      ->type_name("DATE");
}

void add_reading(Subcommands& commands) {
  Arguments* arguments = nullptr;
  add_filter(commands.add("list", "List results, the newest last", list_results, arguments), *arguments);
  commands.add("show", "Show all of a result, and where it comes from", show_result, arguments)
      .add_option("ID", arguments->id, "Number of a result")
      ->required();
  CLI::App& difference =
      commands.add("diff", "Show what differs between results, or between commits", diff_results, arguments);
  difference.add_option("A", arguments->base, "A result or a commit")->required();
  difference.add_option("B", arguments->head, "Another one")->required();
  add_significance(difference, *arguments);
  CLI::App& trends =
      commands.add("trend", "Show a metric over the commits, and where it changes", show_trends, arguments);
  trends.add_option("METRIC", arguments->metric, "Its name, which may have * and ?")->required();
  add_name_option(trends, *arguments);
  trends.add_option("--last", arguments->trend.last, "Only the newest N results of each series")
      ->type_name("N")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  CLI::App& site =
      commands.add("site", "Write pages for a browser with all metrics over the commits", write_site, arguments);
  site.add_option("--out", arguments->out, "Folder of index.html and a page for each series")
      ->required()
      ->type_name("DIR")
      ->check(support::not_empty(support::kFolderWanted));
  add_name_option(site, *arguments);
  site.add_option("--last", arguments->trend.last, "Only the newest N results of each series")
      ->type_name("N")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  CLI::App& exports = commands.add("export", "Print all values", export_results, arguments);
  add_filter(exports, *arguments);
  const auto format = [&](const char* name, const char* what) {
    return exports.add_flag_callback(
        fmt::format("--{}", name), [arguments, name] { arguments->format = name; }, what);
  };
  CLI::Option* csv = format("csv", "As a table with commas (default)");
  CLI::Option* openmetrics = format("openmetrics", "For promtool tsdb create-blocks-from openmetrics");
  CLI::Option* markdown = format("markdown", "As tables for documents, one for each name");
  exports
      .add_option("--table", arguments->table,
                  "One table for documents, whose rows this file has: "
                  "WHAT | METRIC [over METRIC] [/ METRIC]... | GOAL | NAME")
      ->type_name("FILE")
      ->check(support::not_empty(support::kFileWanted))
      ->needs(markdown)
      ->excludes(csv)
      ->excludes(openmetrics)
      ->excludes(exports.get_option("--json"));
  exports.add_option("--out", arguments->out, "Write into this file")
      ->type_name("FILE")
      ->check(support::not_empty(support::kFileWanted));
}

void add_checking(Subcommands& commands) {
  Arguments* arguments = nullptr;
  CLI::App& checks = commands.add("check", "Look for regressions of the newest commit; the exit code is 3 if there are",
                                  check_results, arguments);
  checks.add_option("--base", arguments->base, "The commit to compare with (default: the one before, of each series)")
      ->type_name("COMMIT");
  checks.add_option("--head", arguments->head, "The commit to check (default: that of the newest result)")
      ->type_name("COMMIT");
  add_name_option(checks, *arguments);
  add_significance(checks, *arguments);
  CLI::App& acknowledges = commands.add("ack", "Accept a change that is expected", acknowledge_change, arguments);
  acknowledges.add_option("METRIC", arguments->metric, "Its name, which may have * and ?")->required();
  acknowledges.add_option("--reason", arguments->reason, "Why it is expected")
      ->required()
      ->check(support::not_empty("say why the change is expected"));
  acknowledges.add_option("--commit", arguments->head, "The commit that made it (default: that of the newest result)")
      ->type_name("COMMIT");
  add_name_option(acknowledges, *arguments);
  CLI::App& garbage = commands.add("gc", "Remove old results", remove_results, arguments);
  garbage.add_option("--keep", arguments->keep, "Keep the newest N results of each series")
      ->type_name("N")
      ->required()
      ->check(CLI::Range(0, kMostResults));
  garbage.add_option("--before", arguments->before, "Remove only results of before this date: 2026-03-01")
      ->type_name("DATE");
  garbage.add_flag("--dry-run", arguments->dry_run, "Only say how many results would be removed");
}

}  // namespace

void add_history_command(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("history", "Keep results, compare them, and find regressions");
  command->require_subcommand(1);
  Subcommands commands(*command, exit_code);
  add_adding(commands);
  add_reading(commands);
  add_checking(commands);
}

}  // namespace fabrictwin::cli::history

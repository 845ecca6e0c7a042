// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/history/history_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/cli/history/work.h"
#include "cosim/cli/options/checks.h"
#include "cosim/cli/options/record.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/run_choices.h"
#include "dashboards/history/database.h"

namespace fabrictwin::cli::history {
namespace {

using dashboards::history::Database;

constexpr int kMostResults = 1'000'000'000;

// An empty text is a mistake of a script, such as a variable that is not set, and would else mean all that there is.
constexpr char kNameWanted[] = "name results, as in --name 'hpcg*'";
constexpr char kCommitWanted[] = "name a commit by its first digits or all of them";
constexpr char kSideWanted[] = "name a result by its number, or a commit; fabrictwin history list shows them";
constexpr char kMetricWanted[] = "name a metric, as fabrictwin history show lists them; '*' is all";
constexpr char kDateWanted[] = "name a day or a moment, as in 2026-03-01 or 2026-03-01T12:00:00Z";

/// For CLI::Option::check(): empty if `text` is the number of a result, else what is wanted.
std::string check_result_number(const std::string& text) {
  int64_t number = 0;
  if (parse_number(text, number) && number > 0) return {};
  return fmt::format("\"{}\" is not the number of a result; fabrictwin history list shows them", text);
}

/// For CLI::Option::check(): empty if a trend can have so many results. Its time is quadratic in them, for each of some
/// 600 permutations: half a minute for 2000.
std::string check_trend_length(const std::string& text) {
  constexpr int64_t kLongest = 2000;
  int64_t number = 0;
  if (parse_number(text, number) && number >= 1 && number <= kLongest) return {};
  return fmt::format("\"{}\" is not a number from 1 to {}; to find changes among more results takes minutes", text,
                     kLongest);
}

support::ExitCode execute(const Arguments& arguments, bool create, const std::function<Work>& work) {
  const absl::StatusOr<std::string> file = options::history_file(arguments.database);
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
    const bool mistake = absl::IsInvalidArgument(text.status()) || absl::IsNotFound(text.status()) ||
                         absl::IsPermissionDenied(text.status());
    return fail(mistake ? support::ExitCode::kUsage : support::ExitCode::kRunFailed, message_of(text.status()));
  }
  const absl::Status printed = support::print_data(*text);
  return printed.ok() ? code : fail(support::ExitCode::kRunFailed, message_of(printed));
}

/// A database that is missing is made once there is something for it.
support::ExitCode add_results(const Arguments& arguments) {
  const absl::StatusOr<std::vector<dashboards::history::Result>> results = read_results(arguments);
  if (!results.ok()) return fail(support::ExitCode::kUsage, message_of(results.status()));
  return execute(arguments, true, [&](Database& database, const Arguments& given, support::ExitCode& /*code*/) {
    return record_results(database, *results, given.json);
  });
}

/// The subcommands of one parent, with what they have in common.
class Subcommands {
 public:
  Subcommands(CLI::App& parent, support::ExitCode& exit_code) : parent_(parent), exit_code_(exit_code) {}

  /// A subcommand that works on a database that is there.
  CLI::App& add(const char* name, const char* what, std::function<Work> work, Arguments*& arguments) {
    return add(
        name, what, [work = std::move(work)](const Arguments& given) { return execute(given, false, work); },
        arguments);
  }

  CLI::App& add(const char* name, const char* what, std::function<support::ExitCode(const Arguments&)> command_line,
                Arguments*& arguments) {
    CLI::App* command = parent_.add_subcommand(name, what);
    auto made = std::make_shared<Arguments>();
    arguments = made.get();
    command->add_option("--db", made->database, "The history (default: ~/.local/share/fabrictwin/history.db)")
        ->type_name("FILE")
        ->check(options::not_empty("name a file, as in --db history.db"));
    command->callback(
        [made, command_line = std::move(command_line), &exit_code = exit_code_] { exit_code = command_line(*made); });
    return *command;
  }

 private:
  CLI::App& parent_;
  support::ExitCode& exit_code_;
};

void add_json_option(CLI::App& command, Arguments& arguments) {
  command.add_flag("--json", arguments.json, "Print one JSON object");
}

void add_name_option(CLI::App& command, Arguments& arguments) {
  command.add_option("--name", arguments.filter.name, "Only results of this name, which may have * and ?")
      ->type_name("NAME")
      ->check(options::not_empty(kNameWanted));
}

void add_filter(CLI::App& command, Arguments& arguments) {
  add_name_option(command, arguments);
  command.add_option("--commit", arguments.filter.commit, "Only results of the commit that begins so")
      ->type_name("COMMIT")
      ->check(options::not_empty(kCommitWanted));
  command.add_option("--last", arguments.filter.limit, "Only the newest N results")
      ->type_name("N")
      ->check(CLI::Range(1, kMostResults));
}

void add_significance(CLI::App& command, Arguments& arguments) {
  command
      .add_option("--alpha", arguments.check.significance.alpha,
                  "The largest probability of a false alarm, over all measured metrics")
      ->check(options::real_range(1e-9, 0.5))
      ->capture_default_str();
  command
      .add_option("--least-change", arguments.least_change,
                  "Changes of measured metrics below this many per cent are none")
      ->type_name("PERCENT")
      ->check(options::real_range(0, 100))
      ->capture_default_str();
}

void add_adding(Subcommands& commands) {
  Arguments* arguments = nullptr;
  CLI::App& command = commands.add("add", "Put results of files into the history", add_results, arguments);
  command
      .add_option(
          "FILE", arguments->files,
          "Reports of fabrictwin (--json), Google Benchmark (--benchmark_format=json), or lines NAME VALUE UNIT "
          "[lower|higher|exact]; - is the standard input")
      ->required()
      ->type_name("")
      ->check(options::not_empty(options::kFileWanted));
  command.add_option("--name", arguments->import.name, "Name of the results (default: what their file says)")
      ->type_name("NAME")
      ->check(options::not_empty("name the results, as in --name router"));
  command.add_option("--commit", arguments->import.commit, "The commit that was measured")
      ->type_name("COMMIT")
      ->check(options::not_empty("name the commit, as in --commit \"$(git rev-parse HEAD)\""));
  command.add_option("--date", arguments->import.date, "When: 2026-03-01 or 2026-03-01T12:00:00Z (default: now)")
      ->type_name("DATE")
      ->check(options::not_empty(kDateWanted));
  add_json_option(command, *arguments);
}

void add_reading(Subcommands& commands) {
  Arguments* arguments = nullptr;
  CLI::App& list = commands.add("list", "List results, the newest last", list_results, arguments);
  add_filter(list, *arguments);
  add_json_option(list, *arguments);
  CLI::App& show = commands.add("show", "Show all of a result, and where it comes from", show_result, arguments);
  show.add_option("ID", arguments->id, "Number of a result, as list shows it")->required()->check(check_result_number);
  add_json_option(show, *arguments);
  CLI::App& difference =
      commands.add("diff", "Show what differs between results, or between commits", diff_results, arguments);
  difference.add_option("A", arguments->base, "A result or a commit")
      ->required()
      ->check(options::not_empty(kSideWanted));
  difference.add_option("B", arguments->head, "Another one")->required()->check(options::not_empty(kSideWanted));
  add_significance(difference, *arguments);
  add_json_option(difference, *arguments);
  CLI::App& trends =
      commands.add("trend", "Show a metric over the commits, and where it changes", show_trends, arguments);
  trends.add_option("METRIC", arguments->metric, "Its name, which may have * and ?")
      ->required()
      ->check(options::not_empty(kMetricWanted));
  add_name_option(trends, *arguments);
  add_json_option(trends, *arguments);
  trends.add_option("--last", arguments->trend.last, "Only the newest N results of each series")
      ->type_name("N")
      ->check(check_trend_length)
      ->capture_default_str();
  CLI::App& site =
      commands.add("site", "Write pages for a browser with all metrics over the commits", write_site, arguments);
  site.add_option("--out", arguments->out, "Folder of index.html and a page for each series")
      ->required()
      ->type_name("DIR")
      ->check(options::not_empty(options::kFolderWanted));
  add_name_option(site, *arguments);
  add_json_option(site, *arguments);
  site.add_option("--last", arguments->trend.last, "Only the newest N results of each series")
      ->type_name("N")
      ->check(check_trend_length)
      ->capture_default_str();
  CLI::App& exports = commands.add("export", "Print all values", export_results, arguments);
  add_filter(exports, *arguments);
  add_json_option(exports, *arguments);
  CLI::Option* json = exports.get_option("--json");
  const auto format = [&](const char* name, const char* what) {
    return exports.add_flag_callback(
        fmt::format("--{}", name), [arguments, name] { arguments->format = name; }, what);
  };
  CLI::Option* csv = format("csv", "As a table with commas (default)");
  csv->excludes(json);
  CLI::Option* openmetrics = format("openmetrics", "For promtool tsdb create-blocks-from openmetrics");
  openmetrics->excludes(json)->excludes(csv);
  CLI::Option* markdown = format("markdown", "As tables for documents, one for each name");
  markdown->excludes(json)->excludes(csv)->excludes(openmetrics);
  exports
      .add_option("--table", arguments->table,
                  "One table for documents, whose rows this file has: "
                  "WHAT | METRIC [over METRIC] [/ METRIC]... | GOAL | NAME")
      ->type_name("FILE")
      ->check(options::not_empty(options::kFileWanted))
      ->needs(markdown);
  exports.add_option("--out", arguments->out, "Write into this file")
      ->type_name("FILE")
      ->check(options::not_empty(options::kFileWanted));
}

void add_checking(Subcommands& commands) {
  Arguments* arguments = nullptr;
  CLI::App& checks = commands.add("check", "Look for regressions of the newest commit; the exit code is 3 if there are",
                                  check_results, arguments);
  checks.add_option("--base", arguments->base, "The commit to compare with (default: the one before, of each series)")
      ->type_name("COMMIT")
      ->check(options::not_empty(kCommitWanted));
  checks.add_option("--head", arguments->head, "The commit to check (default: that of the newest result of the name)")
      ->type_name("COMMIT")
      ->check(options::not_empty(kCommitWanted));
  checks.add_option("--after", arguments->check.after, "Compare only results with greater numbers, as list shows them")
      ->type_name("ID")
      ->check(CLI::Range(0, kMostResults));
  add_name_option(checks, *arguments);
  add_significance(checks, *arguments);
  add_json_option(checks, *arguments);
  CLI::App& acknowledges = commands.add("ack", "Accept a change that is expected", acknowledge_change, arguments);
  acknowledges.add_option("METRIC", arguments->metric, "Its name, which may have * and ?")
      ->required()
      ->check(options::not_empty(kMetricWanted));
  acknowledges.add_option("--reason", arguments->reason, "Why it is expected")
      ->required()
      ->check(options::not_empty("say why the change is expected"))
      ->check(options::printable);
  acknowledges
      .add_option("--commit", arguments->head,
                  "The commit that made it (default: that of the newest result of the name)")
      ->type_name("COMMIT")
      ->check(options::not_empty(kCommitWanted));
  add_name_option(acknowledges, *arguments);
  add_json_option(acknowledges, *arguments);
  CLI::App& garbage = commands.add("gc", "Remove old results", remove_results, arguments);
  garbage.add_option("--keep", arguments->keep, "Keep the newest N results of each series")
      ->type_name("N")
      ->required()
      ->check(CLI::Range(0, kMostResults));
  garbage.add_option("--before", arguments->before, "Remove only results of before this date: 2026-03-01")
      ->type_name("DATE")
      ->check(options::not_empty(kDateWanted));
  garbage.add_flag("--dry-run", arguments->dry_run, "Only say how many results would be removed");
  add_json_option(garbage, *arguments);
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

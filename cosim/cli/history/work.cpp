// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/history/work.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cosim/base/output_file.h"
#include "cosim/base/read_stream.h"
#include "cosim/base/text.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/provenance.h"
#include "cosim/report/message_json.h"
#include "dashboards/history/comparison.h"
#include "dashboards/history/formats/document_table.h"
#include "dashboards/history/formats/export.h"
#include "dashboards/history/known_names.h"
#include "dashboards/history/text.h"
#include "dashboards/pages/history_site.h"

namespace fabrictwin::cli::history {

namespace kept = dashboards::history;

namespace {

/// An export is printed in pieces of this size.
constexpr size_t kPrintedAtOnce = size_t{1} << 18;

absl::StatusOr<std::string> read_all(const std::string& file) {
  if (file == "-") {
    struct stat input {};
    if (fstat(STDIN_FILENO, &input) == 0 && S_ISDIR(input.st_mode))
      return absl::InvalidArgumentError("standard input is a folder; give it a file with results");
    std::optional<std::string> text = read_stream(std::cin);
    if (!text)
      return absl::InvalidArgumentError(fmt::format("standard input cannot be read: {}", std::strerror(errno)));
    return *std::move(text);
  }
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    return absl::InvalidArgumentError(fmt::format("{} is a folder; name files with results", file));
  std::ifstream stream(file, std::ios::binary);
  std::optional<std::string> text;
  if (stream) text = read_stream(stream);
  if (!text) return absl::InvalidArgumentError(fmt::format("{} cannot be read: {}", file, std::strerror(errno)));
  return *std::move(text);
}

std::string json_of(const nlohmann::ordered_json& object) { return report::json_text(object, 2) + "\n"; }

/// Results by their series: name, kind and number. Two results that are named themselves have no series in common.
struct SeriesKey {
  std::string name;
  std::string kind;
  int64_t series = 0;
  auto operator<=>(const SeriesKey&) const = default;
  bool same_name(const SeriesKey& other) const { return name == other.name && kind == other.kind; }
};
using ResultSets = std::map<SeriesKey, std::vector<kept::Result>>;

/// The results of a base that those of a series are compared with: of the same series, or of the only one of its name
/// where the experiment has changed; the end if there are none.
ResultSets::const_iterator counterpart(const ResultSets& base, const ResultSets& head, const SeriesKey& key) {
  if (const auto same = base.find(key); same != base.end()) return same;
  const auto named = [&key](const auto& each) { return each.first.same_name(key); };
  if (std::ranges::count_if(base, named) != 1 || std::ranges::count_if(head, named) != 1) return base.end();
  return std::ranges::find_if(base, named);
}

/// The results that "17", or the first digits of a commit, mean.
absl::StatusOr<ResultSets> select(const kept::Database& database, const std::string& what) {
  ResultSets sets;
  int64_t id = 0;
  if (parse_number(what, id)) {
    absl::StatusOr<kept::Result> result = database.get(id);
    if (result.ok()) {
      // Two results are compared whatever they are called.
      sets[{}].push_back(*std::move(result));
      return sets;
    }
    if (!absl::IsNotFound(result.status())) return result.status();
  }
  kept::ListFilter filter;
  filter.commit = what;
  const absl::StatusOr<std::vector<kept::Summary>> summaries = database.list(filter);
  if (!summaries.ok()) return summaries.status();
  if (summaries->empty()) {
    return absl::NotFoundError(fmt::format(
        "\"{}\" is neither a result nor the beginning of a commit of one (see fabrictwin history list)", what));
  }
  if (absl::Status one = kept::check_one_commit(*summaries, what); !one.ok()) return one;
  for (const kept::Summary& each : *summaries) {
    absl::StatusOr<kept::Result> result = database.get(each.id);
    if (!result.ok()) return result.status();
    sets[{each.name, each.kind, each.series}].push_back(*std::move(result));
  }
  return sets;
}

}  // namespace

absl::StatusOr<std::vector<kept::Result>> read_results(const Arguments& arguments) {
  // Files of other tools do not say which commit they measured, and that of this program is another thing.
  v1::Provenance here = support::make_provenance();
  here.clear_commit();
  here.clear_dirty();
  here.clear_compiler();
  std::vector<kept::Result> all;
  for (const std::string& file : arguments.files) {
    const absl::StatusOr<std::string> text = read_all(file);
    if (!text.ok()) return text.status();
    absl::StatusOr<std::vector<kept::Result>> results =
        kept::formats::import_results(*text, file, arguments.import, here);
    if (!results.ok()) return results.status();
    for (kept::Result& result : *results) {
      if (result.provenance.commit().empty())
        spdlog::warn("{}: no commit is known of \"{}\", so that it cannot be checked; name one with --commit", file,
                     result.name);
      all.push_back(std::move(result));
    }
  }
  return all;
}

absl::StatusOr<std::string> record_results(kept::Database& database, const std::vector<kept::Result>& results,
                                           bool json) {
  const absl::StatusOr<std::vector<int64_t>> ids = database.add(results);
  if (!ids.ok()) return ids.status();
  if (json) return json_of({{"results", *ids}});
  if (ids->size() == 1) return fmt::format("recorded as result {}\n", ids->front());
  return fmt::format("recorded as results {} to {}\n", ids->front(), ids->back());
}

absl::StatusOr<std::string> list_results(kept::Database& database, const Arguments& arguments,
                                         support::ExitCode& /*code*/) {
  const absl::StatusOr<std::vector<kept::Summary>> results = database.list(arguments.filter);
  if (!results.ok()) return results.status();
  return arguments.json ? kept::list_json(*results) : kept::list_text(*results);
}

absl::StatusOr<std::string> show_result(kept::Database& database, const Arguments& arguments,
                                        support::ExitCode& /*code*/) {
  const absl::StatusOr<kept::Result> result = database.get(arguments.id);
  if (!result.ok()) return result.status();
  return arguments.json ? kept::show_json(*result) : kept::show_text(*result);
}

absl::StatusOr<std::string> diff_results(kept::Database& database, const Arguments& arguments,
                                         support::ExitCode& /*code*/) {
  absl::StatusOr<ResultSets> base = select(database, arguments.base);
  if (!base.ok()) return base.status();
  absl::StatusOr<ResultSets> head = select(database, arguments.head);
  if (!head.ok()) return head.status();
  if (base->contains({}) != head->contains({}))
    return absl::InvalidArgumentError("compare two results, or the results of two commits, but not one with the other");
  std::vector<kept::SeriesDifference> differences;
  std::set<std::string> unpaired;
  for (auto& [key, results] : *head) {
    const auto before = counterpart(*base, *head, key);
    if (before == base->end()) {
      const SeriesKey& lone = key;
      if (std::ranges::any_of(*base, [&lone](const auto& each) { return each.first.same_name(lone); }))
        unpaired.insert(fmt::format("{} ({})", lone.name, lone.kind));
      continue;
    }
    kept::SeriesDifference& made = differences.emplace_back();
    made.name = results.front().name;
    made.kind = results.front().kind;
    made.base_name = before->second.front().name;
    made.base_kind = before->second.front().kind;
    made.fields = kept::compare_experiments(before->second.front().provenance.experiment(),
                                            results.front().provenance.experiment());
    made.differences = kept::compare(before->second, results);
    kept::judge(made.differences, arguments.check.significance);
    for (kept::Difference& each : made.differences) kept::add_interval(each, arguments.check.significance);
  }
  for (const std::string& name : unpaired) {
    spdlog::warn(
        "{}: {} and {} have results of several experiments of which some are not the same; compare two results", name,
        arguments.base, arguments.head);
  }
  return arguments.json ? kept::diff_json(differences) : kept::diff_text(differences);
}

absl::StatusOr<std::string> show_trends(kept::Database& database, const Arguments& arguments,
                                        support::ExitCode& /*code*/) {
  const absl::StatusOr<std::vector<kept::Trend>> trends =
      kept::find_trends(database, arguments.filter.name, arguments.metric, arguments.trend);
  if (!trends.ok()) return trends.status();
  if (trends->empty()) {
    const absl::Status known = kept::check_known(database, arguments.filter.name, arguments.metric);
    if (!known.ok()) return known;
    return absl::NotFoundError(fmt::format(
        "none of these results has a number \"{}\": digests have no trend (fabrictwin history diff compares "
        "them), and --last leaves older results out",
        arguments.metric));
  }
  return arguments.json ? kept::trend_json(*trends) : kept::trend_text(*trends);
}

absl::StatusOr<std::string> check_results(kept::Database& database, const Arguments& arguments,
                                          support::ExitCode& code) {
  kept::CheckOptions options = arguments.check;
  options.name = arguments.filter.name;
  options.base = arguments.base;
  options.head = arguments.head;
  options.significance.least_change = arguments.least_change / 100;
  const absl::StatusOr<kept::CheckResult> result = kept::check(database, options);
  if (!result.ok()) return result.status();
  if (result->has_regression()) code = support::ExitCode::kRegression;
  return arguments.json ? kept::check_json(*result) : kept::check_text(*result);
}

absl::StatusOr<std::string> acknowledge_change(kept::Database& database, const Arguments& arguments,
                                               support::ExitCode& /*code*/) {
  if (absl::Status known = kept::check_known(database, arguments.filter.name, arguments.metric); !known.ok())
    return known;
  const absl::StatusOr<std::string> commit = kept::find_commit(database, arguments.head, arguments.filter.name);
  if (!commit.ok()) return commit.status();
  const absl::Status status =
      database.acknowledge({arguments.filter.name.empty() ? "*" : arguments.filter.name, arguments.metric, *commit,
                            arguments.reason, support::make_provenance().date()});
  if (!status.ok()) return status;
  if (arguments.json) {
    return json_of({{"name", arguments.filter.name.empty() ? "*" : arguments.filter.name},
                    {"metric", arguments.metric},
                    {"commit", *commit},
                    {"reason", arguments.reason}});
  }
  return fmt::format("{}: changes of {} are expected from {} on\n",
                     arguments.filter.name.empty() ? "all results" : arguments.filter.name, arguments.metric, *commit);
}

absl::StatusOr<std::string> export_results(kept::Database& database, const Arguments& arguments,
                                           support::ExitCode& /*code*/) {
  const absl::StatusOr<std::vector<kept::ResultKey>> results = database.keys(arguments.filter);
  if (!results.ok()) return results.status();
  if (results->empty()) {
    if (absl::Status known = kept::check_known(database, arguments.filter.name); !known.ok()) return known;
    if (!arguments.filter.commit.empty()) {
      return absl::NotFoundError(fmt::format("there is no result of commit {} to export (see fabrictwin history list)",
                                             arguments.filter.commit));
    }
  }
  if (arguments.out == "-")
    return absl::InvalidArgumentError("--out: values are printed without it; name a file, as in history.csv");
  std::vector<kept::formats::TableRow> rows;
  if (!arguments.table.empty()) {
    const absl::StatusOr<std::string> text = read_all(arguments.table);
    if (!text.ok()) return text.status();
    absl::StatusOr<std::vector<kept::formats::TableRow>> read = kept::formats::table_rows(*text, arguments.table);
    if (!read.ok()) return read.status();
    rows = *std::move(read);
  }
  const auto print = [&](kept::formats::Write write) {
    if (!rows.empty()) return kept::formats::export_table(database, *results, rows, arguments.table, write);
    const auto format = arguments.json || arguments.format == "json" ? kept::formats::export_json
                        : arguments.format == "openmetrics"          ? kept::formats::export_openmetrics
                        : arguments.format == "markdown"             ? kept::formats::export_markdown
                                                                     : kept::formats::export_csv;
    return format(database, *results, write);
  };
  if (arguments.out.empty()) {
    // What is printed last comes with the end of the command, so that nothing was printed if a short export fails.
    std::string text;
    const absl::Status status = print([&](std::string_view piece) {
      text += piece;
      return text.size() < kPrintedAtOnce ? absl::OkStatus() : support::print_data(std::exchange(text, {}));
    });
    if (!status.ok()) return status;
    return text;
  }
  const absl::Status distinct = support::check_distinct(
      {{"--out", arguments.out}}, {{"the history", database.file()}, {"the table", arguments.table}});
  if (!distinct.ok()) return distinct;
  absl::StatusOr<OutputFile> file = OutputFile::create(arguments.out);
  if (!file.ok()) return file.status();
  if (absl::Status status = print([&](std::string_view piece) { return file->write(piece); }); !status.ok())
    return status;
  if (absl::Status status = file->commit(); !status.ok()) return status;
  return std::string();
}

absl::StatusOr<std::string> write_site(kept::Database& database, const Arguments& arguments,
                                       support::ExitCode& /*code*/) {
  const absl::StatusOr<std::vector<kept::Trend>> trends =
      kept::find_trends(database, arguments.filter.name, "", arguments.trend);
  if (!trends.ok()) return trends.status();
  kept::CheckOptions options = arguments.check;
  options.name = arguments.filter.name;
  absl::StatusOr<kept::CheckResult> result = kept::check(database, options);
  // Results without a commit have trends, but nothing to check.
  if (absl::IsNotFound(result.status()) && !trends->empty()) result = kept::CheckResult();
  if (!result.ok()) return result.status();
  if (absl::Status status = support::make_folder(arguments.out); !status.ok()) return status;
  const std::vector<dashboards::pages::SitePage> site = dashboards::pages::history_site(*trends, *result);
  for (const dashboards::pages::SitePage& page : site) {
    const std::string file = fmt::format("{}/{}", arguments.out, page.file);
    if (absl::Status status = support::write_file(file, page.html); !status.ok()) return status;
  }
  if (arguments.json) {
    nlohmann::ordered_json pages = nlohmann::ordered_json::array();
    for (const dashboards::pages::SitePage& page : site) pages.push_back(page.file);
    return json_of({{"folder", arguments.out}, {"pages", std::move(pages)}, {"series", site.size() - 1}});
  }
  return fmt::format("{}/index.html: {} series\n", arguments.out, site.size() - 1);
}

absl::StatusOr<std::string> remove_results(kept::Database& database, const Arguments& arguments,
                                           support::ExitCode& /*code*/) {
  if (!arguments.before.empty() && !kept::formats::is_date(arguments.before)) {
    return absl::InvalidArgumentError(fmt::format(
        "--before: \"{}\" is no date; write it as 2026-03-01 or 2026-03-01T12:00:00Z (UTC)", arguments.before));
  }
  const absl::StatusOr<std::vector<kept::Series>> all = database.all_series();
  if (!all.ok()) return all.status();
  std::vector<int64_t> removed;
  for (const kept::Series& series : *all) {
    const absl::StatusOr<std::vector<kept::Summary>> results = database.results_of(series.id);
    if (!results.ok()) return results.status();
    const auto kept = static_cast<size_t>(arguments.keep);
    for (size_t i = 0; i + kept < results->size(); ++i)
      if (arguments.before.empty() || (*results)[i].date < arguments.before) removed.push_back((*results)[i].id);
  }
  if (!arguments.dry_run) {
    if (absl::Status status = database.remove(removed); !status.ok()) return status;
  }
  if (arguments.json) return json_of({{"dry_run", arguments.dry_run}, {"removed", removed}});
  return fmt::format("{} {} results\n", arguments.dry_run ? "would remove" : "removed", removed.size());
}

}  // namespace fabrictwin::cli::history

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/known_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "cosim/base/suggest.h"

namespace fabrictwin::dashboards::history {
namespace {

/// A suggestion to append to an error: the nearest of the names or, of names of fields that are joined by dots, those
/// that `name` is a part of.
std::string suggestion(const std::string& name, const std::set<std::string>& known) {
  const std::vector<std::string_view> names(known.begin(), known.end());
  std::string nearest = did_you_mean(name, names);
  const bool part =
      std::ranges::any_of(known, [&](const std::string& each) { return each.find(name) != std::string::npos; });
  return nearest.empty() && part ? fmt::format(" (did you mean \"*{}*\"?)", name) : nearest;
}

}  // namespace

absl::Status check_known(const Database& database, const std::string& name, const std::string& metric) {
  if (name.empty() && metric.empty()) return absl::OkStatus();
  const absl::StatusOr<std::vector<Series>> all = database.all_series();
  if (!all.ok()) return all.status();
  std::set<std::string> names;
  std::set<std::string> metrics;
  bool found = false;
  for (const Series& series : *all) {
    names.insert(series.name);
    if (!matches(name, series.name)) continue;
    found = true;
    if (metric.empty()) return absl::OkStatus();
    const absl::StatusOr<std::vector<std::string>> has = database.names_in(series.id);
    if (!has.ok()) return has.status();
    for (const std::string& each : *has)
      if (matches(metric, each)) return absl::OkStatus();
    metrics.insert(has->begin(), has->end());
  }
  if (!found && !name.empty()) {
    return absl::NotFoundError(
        fmt::format("there is no result called \"{}\"{} in {}; fabrictwin history list shows all", name,
                    suggestion(name, names), database.file()));
  }
  return absl::NotFoundError(fmt::format(
      "no result{} in {} has a metric or digest \"{}\"{}; fabrictwin history show lists those of a result",
      name.empty() ? "" : fmt::format(" called \"{}\"", name), database.file(), metric, suggestion(metric, metrics)));
}

absl::Status check_one_commit(const std::vector<Summary>& results, const std::string& prefix) {
  std::set<std::string_view> commits;
  for (const Summary& each : results) commits.insert(each.commit);
  if (commits.size() < 2) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("\"{}\" is the beginning of several commits: {}; write more of it",
                                                prefix, fmt::join(commits, ", ")));
}

absl::StatusOr<std::string> find_commit(const Database& database, const std::string& prefix, const std::string& name) {
  ListFilter filter;
  if (prefix.empty()) filter.name = name;
  filter.commit = prefix;
  filter.limit = prefix.empty() ? 1 : -1;
  absl::StatusOr<std::vector<Summary>> newest = database.list(filter);
  if (newest.ok() && prefix.empty() && !newest->empty() && newest->front().commit == kNoCommit) {
    filter.limit = -1;
    newest = database.list(filter);
  }
  if (!newest.ok()) return newest.status();
  if (!prefix.empty()) {
    if (absl::Status one = check_one_commit(*newest, prefix); !one.ok()) return one;
  }
  // The newest is the last.
  const auto known =
      std::find_if(newest->rbegin(), newest->rend(), [](const Summary& result) { return result.commit != kNoCommit; });
  if (known != newest->rend()) return known->commit;
  if (prefix.empty())
    return absl::NotFoundError(fmt::format("there are no results of a commit in {}", database.file()));
  return absl::NotFoundError(
      fmt::format("there is no result of commit {} in {} (see fabrictwin history list)", prefix, database.file()));
}

}  // namespace fabrictwin::dashboards::history

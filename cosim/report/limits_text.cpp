// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/limits_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/report/values_text.h"

namespace fabrictwin::report {
namespace {

/// Ranks that end within this share of the time of the last one have ended with it.
constexpr double kLastShare = 0.99;
/// A link that is used less, and holds packets up less, has limited nothing.
constexpr double kLeastLimit = 0.01;

/// The words of a command line, still in their quotes.
std::vector<std::string> words_of(std::string_view command) {
  std::vector<std::string> words(1);
  bool quoted = false;
  bool escaped = false;  // As quotes of a word are, between its own.
  for (const char c : command) {
    if (c == '\'' && !escaped) quoted = !quoted;
    escaped = c == '\\' && !quoted && !escaped;
    if (c != ' ' || quoted) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The words of the command of the run whose options are, or are not, among `names`, with the values of the options.
std::string options_of(const v1::Report& report, bool among, std::initializer_list<std::string_view> names,
                       std::initializer_list<std::string_view> flags) {
  std::string text;
  bool value = false;  // The word is the value of an option that is among them.
  for (const std::string& word : words_of(report.provenance().command())) {
    const std::string_view name = std::string_view(word).substr(0, word.find('='));
    const bool named = is_one_of(name, names);
    if ((named || value || is_one_of(name, flags)) == among) text += (text.empty() ? "" : " ") + word;
    value = named && name.size() == word.size();
  }
  return text;
}

/// The experiment as an argument; "-" if it was read from the standard input.
std::string experiment_argument(const v1::Report& report) {
  return report.run().experiment() == "<stdin>" ? "-" : shell_word(report.run().experiment());
}

/// The program as it was called, still in its quotes.
std::string program_of(const v1::Report& report) {
  const std::vector<std::string> words = words_of(report.provenance().command());
  return words.empty() ? "fabrictwin" : words.front();
}

/// The command that writes a page with the network and the ranks: that of the run, without its other outputs.
std::string page_command(const v1::Report& report) {
  const std::string command =
      options_of(report, false,
                 {"--html", "--out", "-o", "--perfetto", "--db", "--metrics", "--metrics-file", "--metrics-linger",
                  "--metrics-push", "--metrics-links", "--metrics-partitions"},
                 {"--record", "--json", "--quiet", "-q"});
  return (command.empty() ? "fabrictwin run " + experiment_argument(report) : command) + " --html run.html";
}

/// The command that shows who simulates what in the run: its rules and changes are part of that.
std::string plan_command(const v1::Report& report) {
  const std::string options = options_of(report, true, {"--use", "--set", "--split"}, {});
  return fmt::format("{} describe {}{}{}", program_of(report), experiment_argument(report), options.empty() ? "" : " ",
                     options);
}

/// Appends what limited the run, how much, and the command that shows it.
void add_limit(std::string_view what, std::string_view name, std::string_view limit, std::string_view command,
               std::string& text) {
  constexpr std::string_view kIndent = "             ";
  text += fmt::format("  {:<10} {}\n{}{}\n{}{}\n", what, name, kIndent, limit, kIndent, command);
}

void add_link(const v1::Report& report, std::string& text) {
  const auto most = std::max_element(report.links().begin(), report.links().end(),
                                     [](const auto& a, const auto& b) { return a.utilization() < b.utilization(); });
  if (most == report.links().end() || most->packets() == 0) return;
  const double simulated = report.simulated_seconds();
  const double stalled = simulated > 0 ? most->credit_stall_seconds() / simulated : 0;
  if (most->utilization() < kLeastLimit && stalled < kLeastLimit) return;
  add_limit(
      "link", most->name(),
      fmt::format("used {}, without credits {} of the time", percent_text(most->utilization()), percent_text(stalled)),
      page_command(report), text);
}

void add_rank(const v1::Report& report, std::string& text) {
  double last = 0;
  for (const v1::Rank& rank : report.ranks()) last = std::max(last, rank.finish_seconds());
  // Of those that end last, the others wait for the one that waits least.
  const v1::Rank* limiting = nullptr;
  for (const v1::Rank& rank : report.ranks()) {
    if (rank.finish_seconds() < last * kLastShare) continue;
    if (limiting == nullptr || rank.communication_seconds() < limiting->communication_seconds()) limiting = &rank;
  }
  if (limiting == nullptr || last == 0) return;
  // An end that was put to it says nothing of how long it takes.
  const bool cut = !report.complete() && !report.reason().empty();
  add_limit("rank", fmt::format("{} on host {}", limiting->rank(), limiting->host()),
            fmt::format("{} {}, communicates for {} of that", cut ? "was cut at" : "ends at",
                        seconds_text(limiting->finish_seconds()),
                        percent_text(limiting->communication_seconds() / limiting->finish_seconds())),
            page_command(report), text);
}

void add_partition(const v1::Report& report, std::string& text) {
  const auto most = std::max_element(report.partitions().begin(), report.partitions().end(),
                                     [](const auto& a, const auto& b) { return a.busy_seconds() < b.busy_seconds(); });
  if (most == report.partitions().end() || report.wall_seconds() <= 0) return;
  add_limit("partition", fmt::format("{} ({}, {})", most->name(), most->kind(), most->place()),
            fmt::format("simulates for {} of the wall time",
                        percent_text(std::min(1.0, most->busy_seconds() / report.wall_seconds()))),
            plan_command(report), text);
}

}  // namespace

void add_limits(const v1::Report& report, std::string& text) {
  std::string limits;
  add_link(report, limits);
  add_rank(report, limits);
  add_partition(report, limits);
  if (!limits.empty()) text += "\nwhat limited the run, and what shows it\n" + limits;
}

}  // namespace fabrictwin::report

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/limits_text.h"
#include "cosim/report/values_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>


namespace fabrictwin::report {
namespace {

/// Ranks that end within this share of the time of the last one have ended with it.
constexpr double kLastShare = 0.99;

/// The command that writes a page with the network and the ranks: that of the run, if it has written one.
std::string page_command(const v1::Report& report) {
  const std::string& command = report.provenance().command();
  if (command.find(" --html") != std::string::npos) return command;
  return (command.empty() ? fmt::format("fabrictwin run {}", report.run().experiment()) : command) + " --html run.html";
}

/// The command that shows who simulates what in the run: its rules and changes are part of that.
std::string plan_command(const v1::Report& report) {
  std::string text = fmt::format("fabrictwin describe {}", report.run().experiment());
  std::string word;
  bool quoted = false;
  bool value = false;  // The word is the value of an option that is kept.
  for (const char c : report.provenance().command() + " ") {
    if (c == '\'') quoted = !quoted;
    if (c != ' ' || quoted) {
      word += c;
      continue;
    }
    const std::string_view name = std::string_view(word).substr(0, word.find('='));
    const bool kept = name == "--use" || name == "--set" || name == "--split";
    if (kept || value) text += " " + word;
    value = kept && name.size() == word.size();
    word.clear();
  }
  return text;
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
  add_limit("rank", fmt::format("{} on host {}", limiting->rank(), limiting->host()),
            fmt::format("ends at {}, communicates for {} of that", seconds_text(limiting->finish_seconds()),
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

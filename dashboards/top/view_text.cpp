// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/top/view_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/report/text_table.h"
#include "cosim/report/values_text.h"
#include "dashboards/top/printable.h"

namespace fabrictwin::dashboards::top {
namespace {

using report::TextTable;

constexpr size_t kWidth = 80;
constexpr size_t kTitleWidth = 12;
constexpr size_t kNameWidth = 48;     ///< Of links, beside a rate and a share.
constexpr size_t kShortWidth = 24;    ///< Of partitions and jobs, beside more columns.
constexpr size_t kLabelWidth = 14;    ///< Of kinds and places.
constexpr size_t kCommandWidth = 16;  ///< Of studies.
constexpr size_t kLinksShown = 5;
constexpr size_t kRowsShown = 8;
constexpr size_t kBarWidth = 30;

/// A number with three digits and a prefix: "12.3 M".
std::string scaled_text(double value) {
  constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P"};
  size_t prefix = 0;
  while (std::abs(value) >= 999.5 && prefix + 1 < std::size(kPrefixes)) {
    value /= 1000;
    ++prefix;
  }
  return fmt::format("{:.3g} {}", value, kPrefixes[prefix]);
}

/// A value as text, or "-" if it is not known.
template <typename Text>
std::string known(const std::optional<double>& value, const Text& text) {
  return value.has_value() ? text(*value) : "-";
}

/// A number with so many decimals, unless it is too large for a table.
std::string number_text(double value, int decimals) {
  constexpr double kMost = 1e12;
  return std::abs(value) < kMost ? fmt::format("{:.{}f}", value, decimals) : fmt::format("{:.3g}", value);
}

std::string count_text(const std::optional<double>& value) {
  return known(value, [](double v) { return number_text(v, 0); });
}
std::string share_text(const std::optional<double>& value) {
  return known(value, [](double v) { return number_text(v * 100, 1) + " %"; });
}
std::string bit_rate_text(const std::optional<double>& value) {
  return known(value, [](double v) { return scaled_text(v) + "bit/s"; });
}
std::string rate_text(const std::optional<double>& value) {
  return known(value, [](double v) { return scaled_text(v) + "/s"; });
}

/// A wall-clock time such as "0:07" or "1:02:03".
std::string wall_text(double seconds) {
  constexpr double kMost = 1e9;
  const auto whole = static_cast<int64_t>(std::clamp(seconds, 0.0, kMost) + 0.5);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

const char* state_text(State state) {
  return state == State::kRunning ? "running" : state == State::kComplete ? "complete" : "ended early";
}

std::string bar_text(double share) {
  const auto full = static_cast<size_t>(share * kBarWidth + 0.5);
  return fmt::format("[{}{}] {:.1f} %", std::string(full, '#'), std::string(kBarWidth - full, '.'), share * 100);
}

void add_line(std::string& text, std::string_view title, const std::string& value) {
  if (!value.empty()) text += fmt::format("{:<{}}{}\n", title, kTitleWidth, value);
}

std::string name_text(const std::string& name) { return shortened(name, kWidth - kTitleWidth); }

void add_study(const StudyView& study, std::string& text) {
  std::string value = shortened(study.command, kCommandWidth);
  if (study.ended.has_value()) {
    value += ": " + count_text(study.ended);
    if (study.runs.has_value()) value += " of " + count_text(study.runs);
    value += " runs ended";
  }
  if (study.failed.value_or(0) > 0) value += fmt::format(", {} failed", count_text(study.failed));
  add_line(text, "study", value);
  // The lines after this one are of a single run.
  value = study.state.has_value() ? state_text(*study.state) : "";
  if (study.runs.value_or(0) > 0 && study.ended.has_value())
    value += fmt::format("{}{}", value.empty() ? "" : "  ", bar_text(std::clamp(*study.ended / *study.runs, 0.0, 1.0)));
  add_line(text, "", value);
}

void add_service(const ServiceView& service, std::string& text) {
  add_line(text, "service",
           fmt::format("{}, {} runs so far", shortened(service.kind, kShortWidth), count_text(service.runs)));
  if (!service.run.empty()) add_line(text, "", "now in run " + shortened(service.run, kNameWidth));
}

void add_state(const RunView& view, std::string& text) {
  if (!view.state.has_value()) return;
  std::string value = state_text(*view.state);
  if (view.progress.has_value()) value += "  " + bar_text(*view.progress);
  if (view.remaining.has_value()) value += fmt::format("  {} left", wall_text(*view.remaining));
  add_line(text, "state", value);
}

void add_run(const RunView& view, std::string& text) {
  add_line(text, "experiment", name_text(view.experiment));
  add_line(text, "topology", name_text(view.topology));
  add_line(
      text, "run",
      shortened(view.run, kNameWidth / 2) + (view.place.empty() ? "" : " on " + shortened(view.place, kNameWidth / 2)));
  add_state(view, text);
  if (view.simulated.has_value()) {
    std::string value = report::seconds_text(*view.simulated);
    if (view.wall.has_value()) value += fmt::format(" in {}", wall_text(*view.wall));
    if (view.slowdown.has_value()) value += fmt::format(", {:.3g} times slower than real", *view.slowdown);
    add_line(text, "simulated", value);
  }
  if (view.packets.has_value())
    add_line(text, "packets",
             fmt::format("{} delivered, {}", count_text(view.packets), rate_text(view.packets_per_second)));
}

void add_jobs(const RunView& view, std::string& text) {
  TextTable table({"MPI job", "ranks", "ended", "events", "communicates"});
  for (size_t i = 0; i < std::min(kRowsShown, view.jobs.size()); ++i) {
    const JobView& job = view.jobs[i];
    table.add({shortened(job.name, kShortWidth), count_text(job.ranks), count_text(job.ended), count_text(job.events),
               share_text(job.communication)});
  }
  if (!table.empty()) text += "\n" + table.text(0);
  if (view.jobs.size() > kRowsShown) text += fmt::format("and {} more\n", view.jobs.size() - kRowsShown);
}

void add_links(const std::vector<LinkView>& links, const char* title, std::string& text) {
  TextTable table({title, "rate", "stalled"});
  for (size_t i = 0; i < std::min(kLinksShown, links.size()); ++i)
    table.add(
        {shortened(links[i].name, kNameWidth), bit_rate_text(links[i].bits_per_second), share_text(links[i].stall)});
  if (!table.empty()) text += "\n" + table.text(0);
}

void add_classes(const RunView& view, std::string& text) {
  TextTable table({"links", "number", "mean rate", "stalled"});
  for (const ClassView& each : view.classes)
    table.add({shortened(each.name, kShortWidth), count_text(each.links), bit_rate_text(each.bits_per_second),
               share_text(each.stall)});
  if (!table.empty()) text += "\n" + table.text(0);
}

void add_partitions(const RunView& view, std::string& text) {
  TextTable table({"partition", "kind", "place", "busy", "waits", "events"});
  table.align_left(1);
  table.align_left(2);
  for (size_t i = 0; i < std::min(kRowsShown, view.partitions.size()); ++i) {
    const PartitionView& partition = view.partitions[i];
    table.add({shortened(partition.name, kShortWidth), shortened(partition.kind, kLabelWidth),
               shortened(partition.place, kLabelWidth), share_text(partition.busy), share_text(partition.wait),
               rate_text(partition.events_per_second)});
  }
  if (!table.empty()) text += "\n" + table.text(0);
  if (view.partitions.size() > kRowsShown) text += fmt::format("and {} more\n", view.partitions.size() - kRowsShown);
}

void add_process(const RunView& view, std::string& text) {
  std::string value;
  if (view.cpu_seconds.has_value()) value = fmt::format("{} CPU time", wall_text(*view.cpu_seconds));
  if (view.cpu.has_value()) value += fmt::format(", {} of a core", share_text(view.cpu));
  if (view.resident_bytes.has_value()) {
    constexpr double kMebibyte = 1 << 20;
    value +=
        fmt::format("{}{} MiB memory", value.empty() ? "" : ", ", number_text(*view.resident_bytes / kMebibyte, 1));
  }
  if (value.empty()) return;
  text += "\n";
  add_line(text, "process", value);
}

}  // namespace

std::string view_text(const RunView& view, std::string_view url) {
  std::string text;
  add_line(text, "metrics", shortened(url, kWidth - kTitleWidth));
  if (view.study.has_value()) add_study(*view.study, text);
  if (view.service.has_value()) add_service(*view.service, text);
  add_run(view, text);
  add_jobs(view, text);
  add_classes(view, text);
  add_links(view.busiest, "busiest links", text);
  add_links(view.waiting, "links that packets wait for", text);
  add_partitions(view, text);
  add_process(view, text);
  if (view.exit_status.has_value()) add_line(text, "exit code", count_text(view.exit_status));
  return text;
}

std::string screen_text(std::string_view text, size_t rows, size_t columns) {
  constexpr std::string_view kHome = "\033[H";
  constexpr std::string_view kClearLine = "\033[K";
  constexpr std::string_view kClearRest = "\033[J";
  std::string screen(kHome);
  if (text.ends_with('\n')) text.remove_suffix(1);
  size_t row = 0;
  for (const std::string_view line : split(text, "\n")) {
    // A line feed in the last row would scroll.
    if (row + 1 >= std::max<size_t>(2, rows)) break;
    screen += beginning(line, columns);
    screen += kClearLine;
    screen += "\n";
    ++row;
  }
  return screen.append(kClearRest);
}

}  // namespace fabrictwin::dashboards::top

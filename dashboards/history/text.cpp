// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/report/text_table.h"

namespace fabrictwin::dashboards::history {
namespace {

constexpr size_t kSparks = 60;

std::string percent(double share) {
  return std::isfinite(share * 100) ? fmt::format("{:+.1f} %", share * 100) : "beyond all bounds";
}

/// A line in which spaces come first, and which goes on up to four columns behind them where it would be too wide.
std::string line_of(std::string_view text, size_t indent = 0) {
  constexpr size_t kFurther = 4;
  const size_t end = text.find(' ');
  const std::string begin = std::string(indent, ' ') + std::string(text.substr(0, end));
  return end == std::string_view::npos
             ? begin + "\n"
             : report::wrapped(begin, std::min(indent + kFurther, begin.size() + 1), text.substr(end + 1));
}

/// A day and a minute of "2026-03-01T12:00:00Z".
std::string short_date(const std::string& date) {
  constexpr size_t kMinute = 16;
  std::string text = date.substr(0, kMinute);
  std::replace(text.begin(), text.end(), 'T', ' ');
  return text;
}

using Rows = std::vector<std::vector<std::string>>;

/// A table whose columns are all texts.
std::string table(std::vector<std::string> header, const Rows& rows, size_t indent = 0) {
  const size_t columns = header.size();
  report::TextTable made(std::move(header));
  for (size_t column = 1; column < columns; ++column) made.align_left(column);
  for (const std::vector<std::string>& row : rows) made.add(row);
  return made.text(indent);
}

/// The digits of digests that are enough to tell them from others.
std::string short_digests(const std::vector<std::string>& texts) {
  constexpr size_t kDigits = 16;
  std::string shown;
  for (const std::string& each : texts)
    shown += fmt::format("{}{}", shown.empty() ? "" : ", ", std::string_view(each).substr(0, kDigits));
  return shown.empty() ? "-" : shown;
}

std::string exact_text(double value, const std::string& unit) {
  return fmt::format("{}{}{}", value, unit.empty() ? "" : " ", unit);
}

/// Different values in order, as far as they fit a line.
std::string list_of(const std::vector<double>& values, const std::string& unit) {
  constexpr size_t kMost = 5;
  std::string text;
  for (size_t i = 0; i < std::min(values.size(), kMost); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", exact_text(values[i], unit));
  return values.size() > kMost ? fmt::format("{} and {} more", text, values.size() - kMost) : text;
}

/// What a difference was and is.
std::vector<std::string> difference_row(const Difference& each) {
  const auto [base, head] = side_texts(each);
  std::string verdict(verdict_name(each.verdict));
  if (each.varies()) verdict += ", not one value within a commit";
  if (each.is_text) return {each.name, base, head, verdict};
  if (each.base_count > 0 && each.head_count > 0 && !each.varies()) verdict += " " + change_text(each.base, each.head);
  if (each.better != Better::kExact && each.base_count > 0 && each.head_count > 0) {
    verdict += fmt::format(", n {}+{}", each.base_count, each.head_count);
    if (each.ratio.high > each.ratio.low)
      verdict += fmt::format(", 95 % {}..{}", percent(each.ratio.low - 1), percent(each.ratio.high - 1));
    verdict += each.verdict == Verdict::kTooFew ? fmt::format(", {0}+{0} needed", each.results_needed)
                                                : fmt::format(", p {:.2g}", each.probability);
  }
  return {each.name, base, head, verdict};
}

/// Values as bars of eight heights.
std::string sparkline(const std::vector<TrendPoint>& points) {
  constexpr std::array<std::string_view, 8> kBars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const size_t first = points.size() > kSparks ? points.size() - kSparks : 0;
  double least = points[first].value;
  double most = least;
  for (size_t i = first; i < points.size(); ++i) {
    least = std::min(least, points[i].value);
    most = std::max(most, points[i].value);
  }
  std::string text;
  for (size_t i = first; i < points.size(); ++i) {
    // The difference of two numbers may be larger than any.
    const double share = most > least ? (points[i].value / 2 - least / 2) / (most / 2 - least / 2) : 0;
    text += kBars[static_cast<size_t>(std::lround(share * (kBars.size() - 1)))];
  }
  return text;
}

/// Parts of a sentence on as few lines as they fit.
std::string lines_of(const std::vector<std::string>& parts) {
  constexpr size_t kWidth = 80;
  std::string text;
  std::string line;
  for (const std::string& part : parts) {
    if (!line.empty() && line.size() + part.size() + 3 > kWidth) {
      text += line_of(line + ";", text.empty() ? 0 : 2);
      line.clear();
    }
    line += (line.empty() ? "" : "; ") + part;
  }
  return text + line_of(line, text.empty() ? 0 : 2);
}

std::string finding_text(const Finding& finding) {
  const std::vector<std::string> row = difference_row(finding.difference);
  const std::string how = finding.by_change_point
                              ? fmt::format(", a change point among {} results",
                                            finding.difference.base_count + finding.difference.head_count)
                              : "";
  std::string text =
      line_of(fmt::format("{}: {} ({})", finding.is_regression() ? "REGRESSION" : "note", row[0], finding.series)) +
      line_of(fmt::format("{} in {}, {} in {}: {}{}", row[1], finding.base, row[2], finding.head, row[3], how), 2);
  if (!finding.acknowledged.empty()) text += line_of(fmt::format("acknowledged: {}", finding.acknowledged), 2);
  return text;
}

}  // namespace

std::string value_text(double value, const std::string& unit) {
  if (unit != "s" && unit != "B/s") return fmt::format("{:.6g}{}{}", value, unit.empty() ? "" : " ", unit);
  struct Prefix {
    double factor;
    std::string_view name;
  };
  constexpr std::array<Prefix, 7> kPrefixes{
      {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}}};
  for (const Prefix& prefix : kPrefixes) {
    if (unit == "s" && prefix.factor > 1) continue;
    if (std::abs(value) >= prefix.factor) return fmt::format("{:.5g} {}{}", value / prefix.factor, prefix.name, unit);
  }
  return fmt::format("{:.5g} {}", value, unit);
}

std::string change_text(double before, double after) {
  if (before == after) return percent(0);
  return before == 0 ? "from 0" : percent(after / before - 1);
}

std::pair<std::string, std::string> side_texts(const Difference& difference) {
  if (difference.is_text) return {short_digests(difference.base_texts), short_digests(difference.head_texts)};
  const auto text = [&](size_t count, double value, const std::vector<double>& values) {
    if (!values.empty()) return list_of(values, difference.unit);
    return count == 0 ? "-" : value_text(value, difference.unit);
  };
  std::string base = text(difference.base_count, difference.base, difference.base_values);
  std::string head = text(difference.head_count, difference.head, difference.head_values);
  // Exact values may differ in digits that nobody wants to see otherwise.
  if (base == head && difference.base != difference.head && !difference.varies()) {
    base = exact_text(difference.base, difference.unit);
    head = exact_text(difference.head, difference.unit);
  }
  return {std::move(base), std::move(head)};
}

std::string list_text(const std::vector<Summary>& results) {
  if (results.empty()) return "There are no such results.\n";
  Rows rows;
  for (const Summary& each : results)
    rows.push_back({std::to_string(each.id), short_date(each.date), each.commit, each.kind, each.name});
  return table({"id", "date (UTC)", "commit", "kind", "name"}, rows);
}

std::string show_text(const Result& result) {
  const v1::Provenance& from = result.provenance;
  Rows rows{{"name", result.name},         {"kind", result.kind},           {"date", from.date()},
            {"commit", commit_name(from)}, {"command", from.command()},     {"version", from.version()},
            {"compiler", from.compiler()}, {"machine", machine_name(from)}, {"system", from.system()}};
  for (const v1::HashedFile& input : from.inputs())
    rows.push_back({"input", shell_word(input.path()) + " " + input.xxh128()});
  std::erase_if(rows, [](const std::vector<std::string>& row) { return row[1].empty(); });
  // Words of commands are whole, as they are to be copied.
  constexpr size_t kColumn = 10;
  std::string text = report::wrapped("result", kColumn, std::to_string(result.id));
  for (const std::vector<std::string>& row : rows) text += report::wrapped(row[0], kColumn, row[1]);
  text += "\n";
  rows.clear();
  for (const Text& each : result.texts) rows.push_back({each.name, each.value, "exact"});
  for (const Metric& each : result.metrics)
    rows.push_back({each.name, value_text(each.value, each.unit), std::string(better_name(each.better))});
  text += table({"metric", "value", "better"}, rows);
  if (!from.experiment().empty()) text += "\n" + from.experiment();
  return text;
}

std::string diff_text(const std::vector<SeriesDifference>& differences) {
  std::string text;
  for (const SeriesDifference& series : differences) {
    const bool renamed = series.base_name != series.name || series.base_kind != series.kind;
    text += line_of(renamed ? fmt::format("before: {} ({}); after: {} ({})", series.base_name, series.base_kind,
                                          series.name, series.kind)
                            : fmt::format("{} ({})", series.name, series.kind));
    if (!series.fields.empty()) {
      text += "  experiment:\n";
      Rows rows;
      for (const FieldDifference& field : series.fields) {
        if (field.path.empty()) {
          rows.push_back({"it cannot be read by this version; see fabrictwin history show"});
        } else {
          rows.push_back({field.path, field.base.empty() ? "-" : field.base, field.head.empty() ? "-" : field.head});
        }
      }
      text += table({"field", "before", "after"}, rows, 4);
    }
    Rows rows;
    size_t same = 0;
    for (const Difference& each : series.differences) {
      same += each.verdict == Verdict::kSame ? 1 : 0;
      if (each.verdict != Verdict::kSame) rows.push_back(difference_row(each));
    }
    if (!rows.empty()) text += "  results:\n" + table({"metric", "before", "after", "what"}, rows, 4);
    text += fmt::format("  {} metrics and digests are the same\n", same);
  }
  return text.empty() ? "There are no results to compare.\n" : text;
}

std::string trend_text(const std::vector<Trend>& trends) {
  std::string text;
  for (const Trend& trend : trends) {
    text += line_of(fmt::format("{} ({} {}, {} results{})", trend.metric.name, trend.series.kind, trend.series.name,
                                trend.points.size(),
                                trend.series.experiment.empty() ? "" : ", experiment " + trend.series.experiment));
    if (!trend.machine.empty()) text += line_of(fmt::format("on {}", trend.machine), 2);
    text += fmt::format("  {}\n", sparkline(trend.points));
    const TrendPoint& first = trend.points.front();
    const TrendPoint& last = trend.points.back();
    Rows rows{{short_date(first.date), first.commit, value_text(first.value, trend.metric.unit), "first"}};
    for (const statistics::ChangePoint& change : trend.changes) {
      const TrendPoint& point = trend.points[change.index];
      rows.push_back({short_date(point.date), point.commit, value_text(change.after, trend.metric.unit),
                      fmt::format("from {}{}{}", value_text(change.before, trend.metric.unit),
                                  change.before == 0 ? "" : ": " + change_text(change.before, change.after),
                                  change.probability > 0 ? fmt::format(", p {:.2g}", change.probability) : "")});
    }
    rows.push_back({short_date(last.date), last.commit, value_text(last.value, trend.metric.unit), "last"});
    text += table({"date (UTC)", "commit", "value", ""}, rows, 2);
  }
  return text.empty() ? "There is no such metric.\n" : text;
}

std::string check_text(const CheckResult& result) {
  std::string text;
  // What stops a merge is read first.
  for (const bool regression : {true, false}) {
    for (const Finding& finding : result.findings)
      if (finding.is_regression() == regression) text += finding_text(finding);
  }
  std::vector<std::string> parts{
      fmt::format("{}: {} series, {} metrics and digests compared", result.head, result.series, result.metrics)};
  if (result.too_few > 0) {
    parts.push_back(fmt::format("{} with too few results to tell: measure each commit {} times or more", result.too_few,
                                result.results_needed));
  }
  if (result.no_base > 0) parts.push_back(fmt::format("{} series have no earlier commit", result.no_base));
  if (!result.lost.empty()) parts.push_back(fmt::format("no results any more of {}", fmt::join(result.lost, ", ")));
  if (result.machines > 0) parts.push_back(fmt::format("in {} series only results of one machine", result.machines));
  if (!result.has_regression() && result.too_few == 0) parts.emplace_back("no regression");
  // Nothing is said of those.
  if (!result.has_regression() && result.too_few > 0 && result.metrics > result.too_few)
    parts.emplace_back("no regression among the others");
  return text + lines_of(parts);
}

}  // namespace fabrictwin::dashboards::history

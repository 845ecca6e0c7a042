// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/formats/figure_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string_view>

#include "cosim/base/text.h"
#include "cosim/experiment/source_location.h"

namespace fabrictwin::dashboards::history::formats {
namespace {

bool is_unit_among(std::string_view text, std::span<const std::string_view> all) {
  return std::ranges::find(all, text) != all.end();
}

bool is_time_unit(std::string_view unit) {
  static constexpr std::string_view kTimes[] = {
      "fs",     "ps",      "ns",  "nsec", "us",     "\u00b5s", "\u03bcs", "usec", "ms",   "msec",  "s", "sec", "secs",
      "second", "seconds", "min", "mins", "minute", "minutes", "h",       "hr",   "hour", "hours", "d", "day", "days"};
  return is_unit_among(unit, kTimes);
}

/// Whether a unit is one of those that say "per second" in their name, with a prefix or without: "Hz", "GHz".
bool is_named_rate(std::string_view unit) {
  static constexpr std::string_view kRates[] = {"Hz",  "bps", "Bps", "FLOPS", "Flops", "IOPS",
                                                "fps", "ops", "Ops", "OPS",   "pps"};
  static constexpr std::string_view kPrefixes[] = {"m", "k",  "K",  "M",  "G",  "T",  "P",
                                                   "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  if (is_unit_among(unit, kRates)) return true;
  return std::ranges::any_of(kPrefixes, [unit](std::string_view prefix) {
    return unit.starts_with(prefix) && is_unit_among(unit.substr(prefix.size()), kRates);
  });
}

/// The words of a line with their columns, from 1.
struct Word {
  std::string_view text;
  int32_t column = 0;
};

/// The words before a comment, which begins where a word does.
std::vector<Word> words_of(std::string_view line) {
  std::vector<Word> words;
  for (const std::string_view part : split(line, " \t\r")) {
    if (part.starts_with('#')) break;
    if (!part.empty()) words.push_back({part, static_cast<int32_t>(part.data() - line.data()) + 1});
  }
  return words;
}

bool read_better(std::string_view word, Better& better) {
  for (const Better each : {Better::kExact, Better::kLower, Better::kHigher}) {
    if (word != better_name(each)) continue;
    better = each;
    return true;
  }
  return false;
}

}  // namespace

Better better_of_unit(std::string_view unit) {
  const std::vector<std::string_view> parts = split(unit, "/");
  // "s/op" is a time, and so is "s/s", of wall time by simulated time.
  const bool per_time = !is_time_unit(parts.front()) && std::any_of(parts.begin() + 1, parts.end(), is_time_unit);
  return per_time || is_named_rate(unit) ? Better::kHigher : Better::kLower;
}

absl::StatusOr<std::vector<Result>> figure_lines(std::string_view text, const std::string& file,
                                                 const std::string& name, const v1::Provenance& here) {
  Result result;
  result.name = name;
  result.kind = "figures";
  result.provenance = here;
  std::set<std::string_view> names;
  int32_t number = 0;
  for (const std::string_view line : split(text, "\n")) {
    ++number;
    const std::vector<Word> words = words_of(line);
    const auto wrong = [&](int32_t column, std::string_view message) {
      return absl::InvalidArgumentError(
          experiment::format_diagnostic({file, std::string(line), number, column}, message));
    };
    if (words.empty()) continue;
    if (words.size() < 3 || words.size() > 4)
      return wrong(1, "a line is NAME VALUE UNIT [lower|higher|exact], as in: latency 1.25 us");
    Metric metric;
    metric.name = words[0].text;
    if (!is_utf8(metric.name)) return wrong(1, "this name is not UTF-8");
    if (!parse_number(words[1].text, metric.value) || !std::isfinite(metric.value))
      return wrong(words[1].column, fmt::format("\"{}\" is no number", words[1].text));
    if (const size_t mark = words[2].text.find('#'); mark != std::string_view::npos) {
      return wrong(words[2].column + static_cast<int32_t>(mark),
                   "a unit has no '#' in it; a comment begins behind a space");
    }
    if (words[2].text != "-") metric.unit = words[2].text;
    metric.better = better_of_unit(metric.unit);
    if (words.size() > 3 && !read_better(words[3].text, metric.better)) {
      return wrong(words[3].column,
                   fmt::format("\"{}\" does not say what is better; write lower, higher or exact", words[3].text));
    }
    if (!names.insert(words[0].text).second)
      return wrong(1, fmt::format("\"{}\" is there twice; a result has one value of a metric", metric.name));
    result.metrics.push_back(std::move(metric));
  }
  if (result.metrics.empty())
    return absl::InvalidArgumentError(fmt::format("{}: error: there is no line NAME VALUE UNIT in it", file));
  return std::vector<Result>{std::move(result)};
}

}  // namespace fabrictwin::dashboards::history::formats

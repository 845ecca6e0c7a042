// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/formats/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "absl/time/time.h"
#include "cosim/base/text.h"
#include "cosim/experiment/source_location.h"
#include "dashboards/history/formats/benchmark_json.h"
#include "dashboards/history/formats/figure_lines.h"
#include "dashboards/history/formats/report_json.h"

namespace fabrictwin::dashboards::history::formats {
namespace {

using nlohmann::ordered_json;

/// The location of a byte of a text.
experiment::SourceLocation location_of(std::string_view text, const std::string& file, size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const size_t begin = before.rfind('\n') + 1;  // 0 on the first line.
  const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  experiment::SourceLocation location;
  location.file = file;
  location.line = static_cast<int32_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  location.column = static_cast<int32_t>(before.size() - begin) + 1;
  // A report may be one very long line.
  constexpr size_t kLongest = 120;
  if (line.size() <= kLongest) location.line_text = line;
  return location;
}

/// Where brackets first stand in more others than any result has; whoever reads values by recursion relies on it.
std::optional<size_t> too_deep(std::string_view text) {
  constexpr int kDeepest = 64;
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kDeepest) return i;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return std::nullopt;
}

absl::StatusOr<ordered_json> parse(std::string_view text, const std::string& file) {
  if (const std::optional<size_t> deep = too_deep(text); deep.has_value()) {
    return absl::InvalidArgumentError(experiment::format_diagnostic(
        location_of(text, file, *deep), "the JSON is nested too deeply for a result; add a report of fabrictwin"));
  }
  try {
    return ordered_json::parse(text);
  } catch (const ordered_json::parse_error& error) {
    const bool cut = error.byte > strip(text).size();
    return absl::InvalidArgumentError(experiment::format_diagnostic(
        location_of(text, file, error.byte == 0 ? 0 : error.byte - 1),
        cut ? "the JSON ends too early: was writing it interrupted? Make it again" : "this is no JSON"));
  } catch (const ordered_json::out_of_range&) {
    return absl::InvalidArgumentError(
        fmt::format("{}: error: a number in the JSON is larger than any can be; make the report again", file));
  }
}

absl::Status override_by(const ImportOptions& options, std::vector<Result>& results) {
  if (!options.date.empty() && !is_date(options.date)) {
    return absl::InvalidArgumentError(
        fmt::format("--date: \"{}\" is no date; write it as 2026-03-01 or 2026-03-01T12:00:00Z (UTC)", options.date));
  }
  const bool day = options.date.size() == std::string_view("2026-03-01").size();
  for (Result& result : results) {
    if (!options.name.empty()) result.name = options.name;
    if (!options.commit.empty()) {
      result.provenance.set_commit(options.commit);
      result.provenance.set_dirty(false);
    }
    if (!options.date.empty()) result.provenance.set_date(options.date + (day ? "T00:00:00Z" : ""));
  }
  return absl::OkStatus();
}

/// Whether a text has characters that a terminal would obey, besides those of `allowed`.
bool has_control(std::string_view text, std::string_view allowed = "") {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const bool of_c1 = c == 0xc2 && next >= 0x80 && next < 0xa0;  // U+0080 to U+009F
    if ((c < ' ' || c == 0x7f || of_c1) && allowed.find(text[i]) == std::string_view::npos) return true;
  }
  return false;
}

absl::Status has_control_error(std::string_view what, const std::string& file) {
  return absl::InvalidArgumentError(
      fmt::format("{}: error: {} has a control character in it; leave that out", file, what));
}

/// An error for texts with control characters anywhere in a report but in what is left out of it, since most of them
/// may be shown, if only with a mistake. Experiments and commands have lines.
absl::Status check_texts(const ordered_json& value, const std::string& name, const std::string& file) {
  if (value.is_string()) {
    return has_control(value.get_ref<const std::string&>(), "\n\r\t") ? has_control_error(name, file)
                                                                      : absl::OkStatus();
  }
  if (!value.is_structured()) return absl::OkStatus();
  const bool object = value.is_object();
  for (const auto& [key, each] : value.items()) {
    if (object && is_left_out(key) && key != "provenance") continue;
    if (object && has_control(key)) return has_control_error("the name of a field", file);
    const std::string inner = !object ? name : name.empty() ? key : fmt::format("{}.{}", name, key);
    if (absl::Status status = check_texts(each, inner, file); !status.ok()) return status;
  }
  return absl::OkStatus();
}

/// An error for names and values with control characters, which terminals would obey.
absl::Status check_names(const std::vector<Result>& results, const std::string& file) {
  const auto wrong = [&](std::string_view what) { return has_control_error(what, file); };
  for (const Result& result : results) {
    if (has_control(result.name)) return wrong("the name of the result");
    const v1::Provenance& from = result.provenance;
    if (has_control(from.commit())) return wrong("the commit");
    if (from.commit().find(' ') != std::string::npos)
      return absl::InvalidArgumentError(fmt::format("{}: error: \"{}\" is no commit", file, from.commit()));
    for (const std::string* each : {&from.version(), &from.compiler(), &from.host(), &from.cpu(), &from.system()})
      if (has_control(*each)) return wrong("a text of the provenance");
    for (const v1::HashedFile& input : from.inputs())
      if (has_control(input.path(), "\t") || has_control(input.xxh128())) return wrong("an input of the provenance");
    for (const Metric& metric : result.metrics)
      if (has_control(metric.name) || has_control(metric.unit)) return wrong("the name or unit of a metric");
    for (const Text& each : result.texts) {
      if (has_control(each.name)) return wrong("the name of a text");
      if (has_control(each.value)) return wrong(each.name);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Result>> read(std::string_view text, const std::string& file, const v1::Provenance& here) {
  const std::string stem = std::filesystem::path(file).stem().string();
  // Some editors begin a file with a mark of its encoding.
  if (constexpr std::string_view kMark = "\xef\xbb\xbf"; text.starts_with(kMark)) text.remove_prefix(kMark.size());
  const std::string_view content = strip(text);
  if (content.empty()) return absl::InvalidArgumentError(fmt::format("{}: error: the file is empty", file));
  // Lines of it are shown with mistakes, and a terminal would obey them.
  if (content.find('\0') != std::string_view::npos)
    return absl::InvalidArgumentError(
        fmt::format("{}: error: it is no text; what can be added is a report of fabrictwin (--json), one of Google "
                    "Benchmark (--benchmark_format=json), or lines NAME VALUE UNIT",
                    file));
  if (content.front() != '{' && content.front() != '[') return figure_lines(text, file, stem, here);
  const absl::StatusOr<ordered_json> json = parse(text, file);
  if (!json.ok()) return json.status();
  if (absl::Status status = check_texts(*json, "", file); !status.ok()) return status;
  if (is_benchmark_json(*json)) return benchmark_results(*json, file, here);
  absl::StatusOr<Result> result = report_result(*json, file, here);
  if (!result.ok()) return result.status();
  const v1::Provenance& from = result->provenance;
  if (!from.date().empty() && !is_date(from.date())) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: error: provenance.date \"{}\" is no date; write it as 2026-03-01T12:00:00Z (UTC)", file, from.date()));
  }
  return std::vector<Result>{*std::move(result)};
}

}  // namespace

bool is_date(const std::string& date) {
  // Dates are compared as texts, and Abseil takes spaces, and years of more or less digits.
  const auto has_form = [&date](std::string_view form) {
    return std::ranges::equal(date, form, [](char c, char of) {
      return std::isdigit(static_cast<unsigned char>(of)) != 0 ? std::isdigit(static_cast<unsigned char>(c)) != 0
                                                               : c == of;
    });
  };
  absl::Time time;
  return (has_form("2026-03-01") && absl::ParseTime("%Y-%m-%d", date, &time, nullptr)) ||
         (has_form("2026-03-01T12:00:00Z") && absl::ParseTime("%Y-%m-%dT%H:%M:%SZ", date, &time, nullptr));
}

absl::StatusOr<std::vector<Result>> import_results(std::string_view text, const std::string& file,
                                                   const ImportOptions& options, const v1::Provenance& here) {
  absl::StatusOr<std::vector<Result>> results = read(text, file, here);
  if (!results.ok()) return results;
  if (absl::Status status = override_by(options, *results); !status.ok()) return status;
  if (absl::Status status = check_names(*results, file); !status.ok()) return status;
  return results;
}

absl::StatusOr<Result> import_report(std::string_view json, const std::string& file) {
  const absl::StatusOr<ordered_json> parsed = parse(json, file);
  if (!parsed.ok()) return parsed.status();
  return report_result(*parsed, file, {});
}

}  // namespace fabrictwin::dashboards::history::formats

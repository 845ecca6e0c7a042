// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/metrics/exposition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "cosim/base/text.h"

namespace fabrictwin::dashboards::metrics {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Reads one line of a page from left to right. The functions return an empty text or false for another form.
class LineReader {
 public:
  explicit LineReader(std::string_view line) : rest_(line) {}

  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// A name; that of a metric may have colons.
  std::string_view name(bool colons) {
    size_t length = 0;
    while (length < rest_.size() &&
           (is_letter(rest_[length]) || (length > 0 && is_digit(rest_[length])) || (colons && rest_[length] == ':')))
      ++length;
    return take_front(length);
  }
  /// Characters up to the next blank.
  std::string_view word() {
    size_t length = 0;
    while (length < rest_.size() && !is_blank(rest_[length])) ++length;
    return take_front(length);
  }
  /// The value of a label, from its opening quote to its closing one.
  bool quoted(std::string& value);
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view take_front(size_t length) {
    const std::string_view front = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return front;
  }

  std::string_view rest_;
};

bool LineReader::quoted(std::string& value) {
  if (!take('"')) return false;
  while (!rest_.empty()) {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    if (c == '"') return true;
    if (c != '\\' || rest_.empty()) {
      value += c;
      continue;
    }
    const char escaped = rest_.front();
    rest_.remove_prefix(1);
    // Any other escape stands for itself, as it does for Prometheus.
    if (escaped != '\\' && escaped != '"' && escaped != 'n') value += c;
    value += escaped == 'n' ? '\n' : escaped;
  }
  return false;
}

/// The labels after the opening brace, and the closing one; what is wrong, or an empty text.
std::string_view read_labels(LineReader& reader, Series& series) {
  reader.skip_blanks();
  while (!reader.take('}')) {
    const std::string name(reader.name(false));
    if (name.empty()) return "a label has no name";
    reader.skip_blanks();
    if (!reader.take('=')) return "there is no = after the name of a label";
    reader.skip_blanks();
    std::string value;
    if (!reader.quoted(value)) return "the value of a label is not in quotes";
    if (!series.labels.emplace(name, std::move(value)).second) return "a label is there twice";
    reader.skip_blanks();
    const bool more = reader.take(',');
    reader.skip_blanks();
    if (more) continue;
    if (!reader.take('}')) return "there is no , or } after a label";
    break;
  }
  return {};
}

/// A value: a decimal number, NaN, Inf.
bool read_value(std::string_view text, double& value) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return false;
  }
  // Too large or too small a number is out of range for the parser, but has a value.
  return parse_number(text, value);
}

/// Adds the series of a line; what is wrong with it, or an empty text.
std::string_view read_line(std::string_view line, Exposition& page) {
  LineReader reader(line);
  reader.skip_blanks();
  if (reader.at_end() || reader.take('#')) return {};
  std::string name(reader.name(true));
  if (name.empty()) return "it does not begin with the name of a metric";
  Series series;
  reader.skip_blanks();
  if (reader.take('{')) {
    if (const std::string_view wrong = read_labels(reader, series); !wrong.empty()) return wrong;
  }
  reader.skip_blanks();
  if (!read_value(reader.word(), series.value)) return "its value is no number";
  reader.skip_blanks();
  const std::string_view timestamp = reader.word();
  reader.skip_blanks();
  int64_t milliseconds = 0;
  if (!reader.at_end() || (!timestamp.empty() && !parse_number(timestamp, milliseconds)))
    return "after the value there is something other than a timestamp";
  page.add(std::move(name), std::move(series));
  return {};
}

}  // namespace

std::string_view Series::label(std::string_view name) const {
  const auto found = labels.find(name);
  return found == labels.end() ? std::string_view() : std::string_view(found->second);
}

const std::vector<Series>& Exposition::all(std::string_view name) const {
  static const std::vector<Series> kNone;
  const auto found = series_.find(name);
  return found == series_.end() ? kNone : found->second;
}

std::optional<double> Exposition::value(std::string_view name) const {
  const std::vector<Series>& series = all(name);
  if (series.empty() || !std::isfinite(series.front().value)) return std::nullopt;
  return series.front().value;
}

bool Exposition::has_prefix(std::string_view prefix) const {
  const auto found = series_.lower_bound(prefix);
  return found != series_.end() && found->first.starts_with(prefix);
}

absl::StatusOr<Exposition> parse_exposition(std::string_view page) {
  Exposition exposition;
  size_t number = 1;
  while (!page.empty()) {
    const size_t end = page.find('\n');
    std::string_view line = page.substr(0, end);
    page.remove_prefix(std::min(page.size(), end == std::string_view::npos ? page.size() : end + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (const std::string_view wrong = read_line(line, exposition); !wrong.empty())
      return absl::DataLossError(fmt::format("line {} is not in the text format of Prometheus: {}", number, wrong));
    ++number;
  }
  return exposition;
}

}  // namespace fabrictwin::dashboards::metrics

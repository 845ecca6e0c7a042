// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/sweep/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "cosim/base/quantity.h"
#include "cosim/base/text.h"
#include "cosim/base/time.h"
#include "cosim/experiment/source_text.h"

namespace fabrictwin::study::sweep {
namespace {

/// A decimal number and its unit.
struct RangeNumber {
  bool negative = false;
  std::string digits;  ///< The digits without the decimal point.
  size_t decimals = 0;
  std::string_view unit;
};

constexpr size_t kMaxDigits = 18;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<RangeNumber> read_range_number(std::string_view text) {
  RangeNumber number;
  size_t at = 0;
  if (at < text.size() && text[at] == '-') {
    number.negative = true;
    ++at;
  }
  bool point = false;
  for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && !point)); ++at) {
    if (text[at] == '.') {
      point = true;
      continue;
    }
    number.digits += text[at];
    if (point) ++number.decimals;
  }
  if (number.digits.empty()) return std::nullopt;
  number.unit = text.substr(at);
  // "1e-3" is refused, because it has no decimals to count.
  if (!number.unit.empty() && (number.unit[0] == '.' || is_digit(number.unit.back()))) return std::nullopt;
  return number;
}

/// The number in units of 10^-decimals; nullopt if it has too many digits.
std::optional<int64_t> scaled(const RangeNumber& number, size_t decimals) {
  std::string digits = number.digits + std::string(decimals - number.decimals, '0');
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  int64_t value = 0;
  if (digits.size() > kMaxDigits || !parse_number(digits, value)) return std::nullopt;
  return number.negative ? -value : value;
}

/// The text of a scaled number: 35 with two decimals is "0.35".
std::string decimal_text(int64_t value, size_t decimals) {
  std::string digits = std::to_string(value < 0 ? -value : value);
  if (decimals > 0) {
    if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
    digits.insert(digits.size() - decimals, 1, '.');
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
  }
  return (value < 0 ? "-" : "") + digits;
}

/// Parses one argument of --sweep.
class Parser {
 public:
  explicit Parser(const std::string& argument) : source_("--sweep", argument) { axis_.argument = argument; }

  absl::StatusOr<Axis> parse() {
    const std::string_view text = source_.text();
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      return wrong(equals == 0 ? 0 : text.size(),
                   "write PATH=FROM:TO:STEP or PATH=A,B,C, as in load=0.05:0.95:0.05 or "
                   "workload.traffic.pattern=uniform,tornado");
    }
    axis_.name = text.substr(0, equals);
    axis_.path = axis_.name;
    // The names of traffic's fields are not names of the experiment's own fields.
    if (v1::Traffic::descriptor()->FindFieldByName(axis_.name) != nullptr)
      axis_.path = "workload.traffic." + axis_.name;
    const std::string_view values = text.substr(equals + 1);
    if (values.empty()) return wrong(equals + 1, "there are no values; write FROM:TO:STEP or A,B,C");
    const absl::Status status = is_range(values) ? read_range(values, equals + 1) : read_list(values, equals + 1);
    if (!status.ok()) return status;
    return std::move(axis_);
  }

 private:
  absl::Status wrong(size_t offset, std::string_view message) const {
    return absl::InvalidArgumentError(experiment::format_diagnostic(source_.location(offset), message));
  }

  /// True for a range. Addresses contain colons, too, but do not begin like numbers, or have only two parts.
  static bool is_range(std::string_view values) {
    if (values.find(',') != std::string_view::npos || values.find(':') == std::string_view::npos) return false;
    return is_digit(values[0]) || values[0] == '-' || values[0] == '.' || values[0] == ':';
  }

  absl::Status read_list(std::string_view values, size_t offset) {
    for (const std::string_view value : split(values, ",")) {
      if (value.empty()) return wrong(offset, "a value is missing; write A,B,C");
      axis_.values.push_back({std::string(value), offset});
      offset += value.size() + 1;
    }
    return too_many(source_.text().size());
  }

  absl::Status too_many(size_t offset) const {
    if (axis_.values.size() <= kMaxPoints) return absl::OkStatus();
    return wrong(offset, fmt::format("more than {} values; a sweep may have that many runs", kMaxPoints));
  }

  absl::Status read_range(std::string_view values, size_t offset) {
    const std::vector<std::string_view> parts = split(values, ":");
    if (parts.size() != 3) {
      return wrong(offset, parts.size() == 2 ? "the range has no step; write FROM:TO:STEP"
                                             : "a range has three parts; write FROM:TO:STEP");
    }
    RangeNumber numbers[3];
    size_t offsets[3];
    size_t decimals = 0;
    for (size_t i = 0; i < 3; ++i) {
      offsets[i] = offset;
      offset += parts[i].size() + 1;
      const auto number = read_range_number(parts[i]);
      if (!number.has_value()) return wrong(offsets[i], fmt::format("\"{}\" is not a decimal number", parts[i]));
      if (i > 0 && number->unit != numbers[0].unit) {
        return wrong(offsets[i], fmt::format("\"{}\" has another unit than \"{}\"; write all three in the same one",
                                             parts[i], parts[0]));
      }
      decimals = std::max(decimals, number->decimals);
      numbers[i] = *number;
    }
    int64_t bounds[3];
    for (size_t i = 0; i < 3; ++i) {
      const auto value = scaled(numbers[i], decimals);
      if (!value.has_value()) return wrong(offsets[i], fmt::format("\"{}\" has too many digits", parts[i]));
      bounds[i] = *value;
    }
    const auto [from, to, step] = bounds;
    if (step == 0) return wrong(offsets[2], "step 0 never gets anywhere; write another one");
    if ((step > 0) != (to > from) && to != from) {
      return wrong(offsets[2], fmt::format("a step of {} does not lead from {} to {}; write {}", parts[2], parts[0],
                                           parts[1], decimal_text(-step, decimals) + std::string(numbers[2].unit)));
    }
    for (int64_t value = from; step > 0 ? value <= to : value >= to; value += step) {
      axis_.values.push_back(
          {decimal_text(value, decimals) + std::string(numbers[0].unit), value == from ? offsets[0] : offsets[1]});
      if (absl::Status status = too_many(offsets[2]); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

  experiment::SourceText source_;
  Axis axis_;
};

}  // namespace

Axis::Numbers Axis::numbers() const {
  const auto all = [&](auto read, const char* unit) {
    Numbers numbers;
    for (const Value& value : values) {
      const std::optional<double> number = read(value.text);
      if (!number.has_value()) return Numbers();
      numbers.values.push_back(*number);
    }
    numbers.unit = unit;
    return numbers;
  };
  // Quantities with `parse` in multiples of `unit`, of which 1 is `one`.
  const auto quantities = [&](auto parse, auto count, double one, const char* unit) {
    return all(
        [&](const std::string& text) -> std::optional<double> {
          const auto quantity = parse(text);
          return quantity.ok() ? std::optional<double>(count(*quantity) / one) : std::nullopt;
        },
        unit);
  };
  Numbers numbers = all(
      [](const std::string& text) -> std::optional<double> {
        double number = 0;
        return parse_number(text, number) ? std::optional<double>(number) : std::nullopt;
      },
      "");
  const auto femtoseconds = [](Time time) { return static_cast<double>(time.fs()); };
  const auto bytes = [](Bytes size) { return static_cast<double>(size.count); };
  const auto bits = [](Bandwidth rate) { return static_cast<double>(rate.bits_per_second); };
  const auto hertz = [](Frequency frequency) { return static_cast<double>(frequency.hertz); };
  if (numbers.values.empty()) numbers = quantities(parse_bytes, bytes, 1, "B");
  if (numbers.values.empty()) numbers = quantities(parse_bandwidth, bits, 1e9, "Gb/s");
  if (numbers.values.empty()) numbers = quantities(parse_frequency, hertz, 1e6, "MHz");
  if (!numbers.values.empty()) return numbers;
  numbers = quantities(parse_time, femtoseconds, 1, "fs");
  if (numbers.values.empty()) return numbers;
  // The largest unit of which all times that are not 0 are at least one.
  double least = 0;
  for (const double time : numbers.values) {
    if (time > 0 && (least == 0 || time < least)) least = time;
  }
  constexpr std::pair<double, const char*> kUnits[] = {
      {1e15, "s"}, {1e12, "ms"}, {1e9, "us"}, {1e6, "ns"}, {1e3, "ps"}};
  for (const auto& [one, unit] : kUnits) {
    if (least >= one) return quantities(parse_time, femtoseconds, one, unit);
  }
  return numbers;
}

absl::StatusOr<Axis> parse_axis(const std::string& argument) { return Parser(argument).parse(); }

absl::StatusOr<std::vector<Axis>> parse_axes(const std::vector<std::string>& arguments) {
  std::vector<Axis> axes;
  size_t points = 1;
  for (const std::string& argument : arguments) {
    absl::StatusOr<Axis> axis = parse_axis(argument);
    if (!axis.ok()) return axis.status();
    const experiment::SourceText source("--sweep", argument);
    const auto wrong = [&](size_t offset, std::string_view message) {
      return absl::InvalidArgumentError(experiment::format_diagnostic(source.location(offset), message));
    };
    if (std::any_of(axes.begin(), axes.end(), [&](const Axis& other) { return other.path == axis->path; }))
      return wrong(0, fmt::format("{} is swept twice; write all its values in one --sweep", axis->path));
    points *= axis->values.size();
    if (points > kMaxPoints) {
      return wrong(axis->name.size() + 1,
                   fmt::format("this makes {} runs, and a sweep may have {}; take fewer values", points, kMaxPoints));
    }
    axes.push_back(*std::move(axis));
  }
  return axes;
}

std::vector<Settings> all_settings(const std::vector<Axis>& axes) {
  std::vector<Settings> points = {{}};
  for (const Axis& axis : axes) {
    std::vector<Settings> longer;
    for (size_t i = 0; i < axis.values.size(); ++i) {
      for (const Settings& point : points) {
        longer.push_back(point);
        longer.back().push_back(axis.at(i));
      }
    }
    points = std::move(longer);
  }
  return points;
}

std::string point_name(const std::vector<Axis>& axes, const Settings& point) {
  std::string name;
  for (size_t i = 0; i < point.size(); ++i)
    name += fmt::format("{}{}={}", i == 0 ? "" : " ", axes[i].name, point[i].value);
  return name;
}

absl::StatusOr<std::vector<uint64_t>> parse_seeds(std::span<const std::string> arguments) {
  std::vector<uint64_t> seeds;
  std::set<uint64_t> different;
  for (const std::string& argument : arguments) {
    const experiment::SourceText source("--seeds", argument);
    size_t offset = 0;
    for (const std::string_view text : split(argument, ",")) {
      const auto wrong = [&](std::string_view message) {
        return absl::InvalidArgumentError(experiment::format_diagnostic(source.location(offset), message));
      };
      const std::vector<std::string_view> parts = split(text, ":");
      std::vector<uint64_t> numbers(parts.size());
      bool valid = parts.size() <= 3;
      for (size_t i = 0; i < parts.size(); ++i) valid = valid && parse_number(parts[i], numbers[i]);
      if (!valid) {
        return wrong(
            fmt::format("\"{}\" is neither a seed nor a range of seeds; write numbers from 0 on, as in 1,2,3, or "
                        "FROM:TO[:STEP], as in 1:3",
                        text));
      }
      const uint64_t from = numbers.front();
      const uint64_t to = numbers.size() > 1 ? numbers[1] : from;
      const uint64_t step = numbers.size() > 2 ? numbers[2] : 1;
      if (to < from) return wrong(fmt::format("\"{}\" ends before it begins; write {}:{}", text, to, from));
      if (step == 0) return wrong(fmt::format("\"{}\" has a step of 0; write 1 or more", text));
      if ((to - from) / step >= kMaxPoints - seeds.size())
        return wrong(fmt::format("with \"{}\" there are more than {} seeds; write fewer", text, kMaxPoints));
      for (uint64_t i = 0; i <= (to - from) / step; ++i) {
        seeds.push_back(from + i * step);
        if (different.insert(seeds.back()).second) continue;
        return wrong(
            fmt::format("{} is there twice, and means are over runs that differ; write each seed once", seeds.back()));
      }
      offset += text.size() + 1;
    }
  }
  return seeds;
}

}  // namespace fabrictwin::study::sweep

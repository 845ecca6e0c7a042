// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/scheme_kind.h"

#include "cosim/base/quantity.h"
#include "fmt/format.h"

namespace fabrictwin::congestion {
namespace {

constexpr int64_t kMostRate = 100'000'000'000'000;
constexpr Time kMostTime = Time::from_us(10'000'000);

}  // namespace

double check_share(const experiment::MessageReader& reader, std::string_view name, double value) {
  const double by_default = reader.default_real(name);
  if (!reader.has(name)) return by_default;
  if (value > 0 && value <= 1) return value;
  reader.complain(name, fmt::format("{} {}: write a number above 0, at most 1; the default is {}", name, value,
                                    reader.default_of(name)));
  return by_default;
}

double check_real(const experiment::MessageReader& reader, std::string_view name, double value, double least,
                  double most, double by_default) {
  if (!reader.has(name)) return by_default;
  if (value >= least && value <= most) return value;
  reader.complain(name, fmt::format("{} {}: write a number from {} to {}; the default is {}", name, value, least, most,
                                    reader.default_of(name)));
  return by_default;
}

int64_t check_rate(const experiment::MessageReader& reader, std::string_view name) {
  const std::optional<Bandwidth> rate = reader.valid<Bandwidth>(name, parse_bandwidth);
  if (!rate.has_value()) return 1;
  if (rate->bits_per_second > 0 && rate->bits_per_second <= kMostRate) return rate->bits_per_second;
  reader.complain(name, fmt::format("{} {}: write a rate above zero, at most {}; the default is {}", name,
                                    to_string(*rate), to_string(Bandwidth{kMostRate}), reader.default_of(name)));
  return 1;
}

int64_t check_size(const experiment::MessageReader& reader, std::string_view name) {
  return check_positive(reader, name).value_or(1);
}

std::optional<int64_t> check_positive(const experiment::MessageReader& reader, std::string_view name) {
  const std::optional<Bytes> size = reader.valid<Bytes>(name, parse_bytes);
  if (!size.has_value()) return std::nullopt;
  if (size->count > 0) return size->count;
  reader.complain(name, fmt::format("{} 0: write a size above zero; the default is {}", name, reader.default_of(name)));
  return std::nullopt;
}

void complain_of_order(const experiment::MessageReader& reader, const Disorder& disorder) {
  const auto text = [&](std::string_view name, std::string_view value) {
    return fmt::format("{} {}{}", name, value, reader.has(name) ? "" : " (its default)");
  };
  const auto& [low_name, low, high_name, high, why, equal] = disorder;
  reader.complain_near(
      reader.has(low_name) ? low_name : high_name,
      fmt::format("{} is {} {}: {}; write a {} {} {}, or a {} {} {}", text(low_name, low),
                  equal ? "above" : "not below", text(high_name, high), why, low_name, equal ? "of at most" : "below",
                  high, high_name, equal ? "of at least" : "above", low));
}

void check_order(const experiment::MessageReader& reader, std::string_view low_name, std::optional<int64_t> low,
                 std::string_view high_name, std::optional<int64_t> high, std::string_view why) {
  if (!low.has_value() || !high.has_value() || *low <= *high) return;
  complain_of_order(reader, {.low_name = low_name,
                             .low = to_string(Bytes{*low}),
                             .high_name = high_name,
                             .high = to_string(Bytes{*high}),
                             .why = why});
}

int64_t check_time(const experiment::MessageReader& reader, std::string_view name) {
  return check_some_time(reader, name).value_or(1);
}

std::optional<int64_t> check_some_time(const experiment::MessageReader& reader, std::string_view name) {
  const std::optional<Time> time = reader.valid<Time>(name, parse_time);
  if (!time.has_value()) return std::nullopt;
  // Something is done in each period, and a run would hardly get on.
  constexpr Time kLeastTime = Time::from_ns(1);
  if (*time >= kLeastTime && *time <= kMostTime) return time->fs();
  reader.complain(
      name, fmt::format("{} {}: write a time of at least {} and at most {}; the default is {}", name, to_string(*time),
                        to_string(kLeastTime), to_string(kMostTime), reader.default_of(name)));
  return std::nullopt;
}

int32_t check_telemetry(const experiment::MessageReader& reader, std::string_view name) {
  constexpr int64_t kMost = 1024;
  const int64_t bytes = reader.quantity<Bytes>(name, parse_bytes).count;
  if (bytes <= kMost) return static_cast<int32_t>(bytes);
  reader.complain(name, fmt::format("{} {}: write at most {}B; the default is {}", name, to_string(Bytes{bytes}), kMost,
                                    reader.default_of(name)));
  return 0;
}

StopAndResume check_stop(const experiment::MessageReader& reader) {
  const std::optional<int64_t> stop = check_positive(reader, "stop");
  const std::optional<int64_t> resume = check_positive(reader, "resume");
  check_order(reader, "resume", resume, "stop", stop, "a source stops above stop and goes on below resume");
  return {stop.value_or(1), resume.value_or(1)};
}

}  // namespace fabrictwin::congestion

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
  const int64_t rate = reader.quantity<Bandwidth>(name, parse_bandwidth).bits_per_second;
  if (rate > 0 && rate <= kMostRate) return rate;
  reader.complain(name,
                  fmt::format("{} {}: write a rate above zero, at most {}; the default is {}", name,
                              to_string(Bandwidth{rate}), to_string(Bandwidth{kMostRate}), reader.default_of(name)));
  return 1;
}

int64_t check_size(const experiment::MessageReader& reader, std::string_view name) {
  const int64_t bytes = reader.quantity<Bytes>(name, parse_bytes).count;
  if (bytes > 0) return bytes;
  reader.complain(name, fmt::format("{} 0: write a size above zero; the default is {}", name, reader.default_of(name)));
  return 1;
}

int64_t check_time(const experiment::MessageReader& reader, std::string_view name) {
  const Time time = reader.quantity<Time>(name, parse_time);
  if (time > Time::zero() && time <= kMostTime) return time.fs();
  reader.complain(name, fmt::format("{} {}: write a time above zero, at most {}; the default is {}", name,
                                    to_string(time), to_string(kMostTime), reader.default_of(name)));
  return 1;
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
  const StopAndResume thresholds{check_size(reader, "stop"), check_size(reader, "resume")};
  // A stop that is a mistake has been told of.
  if (thresholds.stop > 1 && thresholds.resume > thresholds.stop) {
    reader.complain_near("resume", fmt::format("resume {} is above stop {}: a source stops above the one and goes on "
                                               "below the other; write a resume of at most that",
                                               to_string(Bytes{thresholds.resume}), to_string(Bytes{thresholds.stop})));
  }
  return thresholds;
}

}  // namespace fabrictwin::congestion

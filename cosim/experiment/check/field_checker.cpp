// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/field_checker.h"

#include <fmt/format.h>

#include "cosim/link/record.h"

namespace fabrictwin::experiment {

Bandwidth FieldChecker::rate(std::string_view path, const std::string& text, std::string_view fallback,
                             std::string_view what, Frequency router_clock) {
  const auto parsed = quantity<Bandwidth>(path, text, fallback, parse_bandwidth);
  const Bandwidth limit{router_clock.hertz * link::kWordBits};
  // Of slower links a few packets would outlast simulated time, which ends after 9223 s; a slow clock is meant.
  constexpr Bandwidth kLeast{10'000};
  if (!parsed.has_value()) return limit;
  // If the default rate is too fast, the slow clock is to blame.
  const std::string_view place = text.empty() && locations_.has("router.clock") ? "router.clock" : path;
  if (parsed->bits_per_second == 0) {
    complain(path, fmt::format("{} rate 0: nothing would ever arrive; write a rate such as \"10Gbps\"", what));
  } else if (!rates_follow_clock_ && parsed->bits_per_second < kLeast.bits_per_second) {
    complain(path, fmt::format("{} rate {}: a few packets would outlast simulated time; write at least 10kbps", what,
                               to_string(*parsed)));
  } else if (rates_follow_clock_ && parsed->bits_per_second > limit.bits_per_second) {
    complain(place, fmt::format("a {} faster than its clock: {} is more than one 128-bit word a router clock ({} x "
                                "128 bit = {}); lower {} or raise router.clock",
                                what, to_string(*parsed), to_string(router_clock), to_string(limit),
                                path.substr(path.rfind('.') + 1)));
  } else {
    return *parsed;
  }
  return limit;
}

int32_t FieldChecker::number(std::string_view path, int32_t value, int32_t fallback, int32_t least, int32_t most) {
  if (value == 0 && !locations_.has(std::string(path))) return fallback;
  if (value >= least && value <= most) return value;
  complain(path, fmt::format("{} {}: write {} to {}; the default is {}", path.substr(path.rfind('.') + 1), value, least,
                             most, fallback));
  return fallback;
}

Time FieldChecker::latency(std::string_view path, const std::string& text, std::string_view fallback,
                           std::string_view what) {
  const auto parsed = quantity<Time>(path, text, fallback, parse_time);
  if (!parsed.has_value()) return Time::from_ns(1);
  if (*parsed == Time::zero()) {
    complain(path, fmt::format("latency 0: the {} latency is the lookahead of the engine, so parts could not be "
                               "simulated apart; write at least \"1fs\", by default it is \"{}\"",
                               what, fallback));
  }
  return *parsed;
}

}  // namespace fabrictwin::experiment

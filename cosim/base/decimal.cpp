// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/decimal.h"

#include <fmt/format.h>

#include <limits>
#include <vector>

#include "cosim/base/suggest.h"
#include "cosim/base/text.h"

namespace fabrictwin {
namespace {

/// Enough for every exact value (a GiB has 30 binary digits, a second 15 decimal ones), and few enough for 128 bits.
constexpr size_t kMaxDigits = 36;

absl::Status complain(std::string_view text, const DecimalKind& kind, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("\"{}\" is not a {}: {}", text, kind.name, what));
}

std::string unit_list(const DecimalKind& kind) {
  std::vector<std::string_view> names;
  for (const DecimalUnit& unit : kind.units) names.push_back(unit.name);
  return comma_list(names);
}

absl::StatusOr<int64_t> find_scale(std::string_view text, std::string_view name, const DecimalKind& kind) {
  for (const DecimalUnit& unit : kind.units) {
    if (unit.name == name) return unit.scale;
  }
  if (name.empty()) {
    return complain(
        text, kind,
        fmt::format("it has no unit; write a number and one of {}, as in \"{}\"", unit_list(kind), kind.example));
  }
  std::vector<std::string_view> names;
  for (const DecimalUnit& unit : kind.units) names.push_back(unit.name);
  return complain(text, kind,
                  fmt::format("unknown unit \"{}\"{}; units are {}", name, did_you_mean(name, names), unit_list(kind)));
}

}  // namespace

absl::StatusOr<int64_t> parse_decimal(std::string_view text, const DecimalKind& kind) {
  const std::string_view trimmed = strip(text);
  if (trimmed.empty()) return complain(text, kind, fmt::format("it is empty; write it as in \"{}\"", kind.example));
  if (trimmed.front() == '-') return complain(text, kind, "it must not be negative");

  std::string digits;
  size_t fraction = 0;
  bool point = false;
  bool any = false;
  size_t at = 0;
  for (; at < trimmed.size(); ++at) {
    const char c = trimmed[at];
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9') {
      any = true;
      if (c != '0' || !digits.empty()) digits.push_back(c);
      if (point) ++fraction;
    } else {
      break;
    }
  }
  if (!any) return complain(text, kind, fmt::format("it must begin with a number, as in \"{}\"", kind.example));
  const std::string_view rest = strip(trimmed.substr(at));
  if (rest.size() > 1 && (rest[0] == 'e' || rest[0] == 'E') &&
      std::string_view("+-0123456789").find(rest[1]) != std::string_view::npos) {
    return complain(
        text, kind,
        fmt::format("it has an exponent; write all digits and one of {}, as in \"{}\"", unit_list(kind), kind.example));
  }
  absl::StatusOr<int64_t> scale = find_scale(text, rest, kind);
  if (!scale.ok()) return scale.status();

  while (fraction > 0 && (digits.empty() || digits.back() == '0')) {
    if (!digits.empty()) digits.pop_back();
    --fraction;
  }
  if (digits.empty()) return 0;
  if (digits.size() > kMaxDigits || fraction > kMaxDigits) return complain(text, kind, "it has too many digits");

  __int128 value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  // Divide by ten for each digit of the fraction before multiplying by the scale, as the product may not fit: a ten is
  // a two and a five, and each is taken from whichever of the two factors has it.
  __int128 factor = *scale;
  const auto take = [&](int prime) {
    __int128& from = factor % prime == 0 ? factor : value;
    if (from % prime != 0) return false;
    from /= prime;
    return true;
  };
  for (; fraction > 0; --fraction) {
    if (!take(2) || !take(5)) {
      return complain(text, kind,
                      fmt::format("it is not a whole number of {}, the finest step there is", kind.base_name));
    }
  }
  if (__builtin_mul_overflow(value, factor, &value)) return complain(text, kind, "it is too large");
  if (value >= std::numeric_limits<int64_t>::max()) return complain(text, kind, "it is too large");
  return static_cast<int64_t>(value);
}

std::string format_decimal(int64_t value, std::span<const DecimalUnit> units) {
  const bool negative = value < 0;
  const uint64_t magnitude = negative ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  const DecimalUnit* unit = &units.back();
  for (const DecimalUnit& candidate : units) {
    if (magnitude >= static_cast<uint64_t>(candidate.scale)) {
      unit = &candidate;
      break;
    }
  }
  const uint64_t scale = static_cast<uint64_t>(unit->scale);
  std::string text = fmt::format("{}{}", negative ? "-" : "", magnitude / scale);
  // Long division: exact for any scale, and ends because scales have only factors of two and five (or the digits run
  // out of use).
  uint64_t rest = magnitude % scale;
  if (rest != 0) text.push_back('.');
  for (int digit = 0; rest != 0 && digit < static_cast<int>(kMaxDigits); ++digit) {
    const unsigned __int128 next = static_cast<unsigned __int128>(rest) * 10;
    text.push_back(static_cast<char>('0' + static_cast<int>(next / scale)));
    rest = static_cast<uint64_t>(next % scale);
  }
  return fmt::format("{} {}", text, unit->name);
}

}  // namespace fabrictwin

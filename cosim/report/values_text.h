// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Values of reports as text.
#pragma once

#include <fmt/format.h>

#include <string>

namespace fabrictwin::report {

/// A time with four digits and a unit: "1.234 us".
std::string seconds_text(double seconds);
/// A share with two decimals: "12.34 %".
std::string percent_text(double share);
/// A number of bytes with four digits and a unit, powers of 1000: "1.234 MB".
std::string bytes_text(double bytes);

/// The percentiles as text: "p50 1.2 us, p90 ...".
template <typename Distribution, typename Text>
std::string percentiles_text(const Distribution& from, const Text& text) {
  return fmt::format("p50 {}, p90 {}, p99 {}, p99.9 {}, p99.99 {}", text(from.p50()), text(from.p90()),
                     text(from.p99()), text(from.p99_9()), text(from.p99_99()));
}

}  // namespace fabrictwin::report

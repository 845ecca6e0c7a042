// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Quantities with units, as users write them in an experiment: "10Gbps", "120ns", "4KiB", "156.25MHz".
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cosim/base/time.h"

namespace fabrictwin {

/// A number of bytes.
struct Bytes {
  int64_t count = 0;
  constexpr auto operator<=>(const Bytes&) const = default;
};

/// A data rate in bits per second.
struct Bandwidth {
  int64_t bits_per_second = 0;
  constexpr auto operator<=>(const Bandwidth&) const = default;
};

/// A frequency in whole hertz.
struct Frequency {
  int64_t hertz = 0;
  constexpr auto operator<=>(const Frequency&) const = default;
};

/// Parses one number and one unit with optional space between them, as the next three do. All decimal digits count:
/// "0.1ns" is exact. Errors (InvalidArgument) say what is wrong and list the valid units. A value must be finite and
/// not negative. Units: fs ps ns us ms s.
absl::StatusOr<Time> parse_time(std::string_view text);
/// Units: B, kB MB GB (powers of 1000), KiB MiB GiB (powers of 1024).
absl::StatusOr<Bytes> parse_bytes(std::string_view text);
/// Units: bps kbps Mbps Gbps Tbps (bits; also written "Gb/s") and B/s kB/s MB/s GB/s (bytes).
absl::StatusOr<Bandwidth> parse_bandwidth(std::string_view text);
/// Units: Hz kHz MHz GHz.
absl::StatusOr<Frequency> parse_frequency(std::string_view text);

std::string to_string(Bytes bytes);
std::string to_string(Bandwidth bandwidth);
std::string to_string(Frequency frequency);

}  // namespace fabrictwin

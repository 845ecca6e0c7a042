// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/quantity.h"

#include "cosim/base/decimal.h"

namespace fabrictwin {
namespace {

constexpr DecimalUnit kTimeUnits[] = {{"fs", 1},
                                      {"ps", 1'000},
                                      {"ns", 1'000'000},
                                      {"us", 1'000'000'000},
                                      {"ms", 1'000'000'000'000},
                                      {"s", 1'000'000'000'000'000}};
constexpr DecimalKind kTime{"time", "120ns", "femtoseconds", kTimeUnits};

constexpr DecimalUnit kByteUnits[] = {{"B", 1},
                                      {"kB", 1'000},
                                      {"KB", 1'000},
                                      {"MB", 1'000'000},
                                      {"GB", 1'000'000'000},
                                      {"KiB", 1 << 10},
                                      {"MiB", int64_t{1} << 20},
                                      {"GiB", int64_t{1} << 30}};
constexpr DecimalKind kBytes{"size", "4KiB", "bytes", kByteUnits};

constexpr DecimalUnit kBandwidthUnits[] = {
    {"bps", 1}, {"kbps", 1'000}, {"Mbps", 1'000'000}, {"Gbps", 1'000'000'000}, {"Tbps", 1'000'000'000'000},
    {"b/s", 1}, {"kb/s", 1'000}, {"Mb/s", 1'000'000}, {"Gb/s", 1'000'000'000}, {"Tb/s", 1'000'000'000'000},
    {"B/s", 8}, {"kB/s", 8'000}, {"MB/s", 8'000'000}, {"GB/s", 8'000'000'000}};
constexpr DecimalKind kBandwidth{"data rate", "10Gbps", "bits per second", kBandwidthUnits};

constexpr DecimalUnit kFrequencyUnits[] = {{"Hz", 1}, {"kHz", 1'000}, {"MHz", 1'000'000}, {"GHz", 1'000'000'000}};
constexpr DecimalKind kFrequency{"frequency", "156.25MHz", "hertz", kFrequencyUnits};

}  // namespace

absl::StatusOr<Time> parse_time(std::string_view text) {
  const absl::StatusOr<int64_t> fs = parse_decimal(text, kTime);
  if (!fs.ok()) return fs.status();
  return Time::from_fs(*fs);
}

absl::StatusOr<Bytes> parse_bytes(std::string_view text) {
  const absl::StatusOr<int64_t> count = parse_decimal(text, kBytes);
  if (!count.ok()) return count.status();
  return Bytes{*count};
}

absl::StatusOr<Bandwidth> parse_bandwidth(std::string_view text) {
  const absl::StatusOr<int64_t> bits = parse_decimal(text, kBandwidth);
  if (!bits.ok()) return bits.status();
  return Bandwidth{*bits};
}

absl::StatusOr<Frequency> parse_frequency(std::string_view text) {
  const absl::StatusOr<int64_t> hertz = parse_decimal(text, kFrequency);
  if (!hertz.ok()) return hertz.status();
  return Frequency{*hertz};
}

std::string to_string(Bytes bytes) {
  static constexpr DecimalUnit kBinary[] = {
      {"GiB", int64_t{1} << 30}, {"MiB", int64_t{1} << 20}, {"KiB", 1 << 10}, {"B", 1}};
  static constexpr DecimalUnit kPlain[] = {{"B", 1}};
  // Powers of two read well in binary units only when they come out even; other counts stay exact as bytes.
  if (bytes.count % (1 << 10) == 0) return format_decimal(bytes.count, kBinary);
  return format_decimal(bytes.count, kPlain);
}

std::string to_string(Bandwidth bandwidth) {
  static constexpr DecimalUnit kUnits[] = {
      {"Tbps", 1'000'000'000'000}, {"Gbps", 1'000'000'000}, {"Mbps", 1'000'000}, {"kbps", 1'000}, {"bps", 1}};
  return format_decimal(bandwidth.bits_per_second, kUnits);
}

std::string to_string(Frequency frequency) {
  static constexpr DecimalUnit kUnits[] = {{"GHz", 1'000'000'000}, {"MHz", 1'000'000}, {"kHz", 1'000}, {"Hz", 1}};
  return format_decimal(frequency.hertz, kUnits);
}

}  // namespace fabrictwin

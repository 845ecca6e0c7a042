// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Decimal numbers with units, read and written without floating point.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace fabrictwin {

/// A unit and the number of base units (femtoseconds, bytes, ...) that it stands for.
struct DecimalUnit {
  std::string_view name;
  int64_t scale = 1;
};

/// The name of a kind of quantity and its units.
struct DecimalKind {
  std::string_view name;       ///< "time".
  std::string_view example;    ///< "120ns".
  std::string_view base_name;  ///< "femtoseconds".
  std::span<const DecimalUnit> units;
};

/// Reads digits, an optional fraction, optional spaces and a unit. The result is exact: a value that is not a whole
/// number of base units, or too large for 63 bits, is an error (InvalidArgument), as are a missing or unknown unit and
/// a negative number.
absl::StatusOr<int64_t> parse_decimal(std::string_view text, const DecimalKind& kind);

/// Writes `value` exactly, in the first of `units` (largest first, the last has scale 1) in which it is at least one:
/// "1.5 us".
std::string format_decimal(int64_t value, std::span<const DecimalUnit> units);

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Small helpers for std::string_view. (Debian's Abseil is built with a string_view of its own, which does not convert
// from the standard one.)
#pragma once

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/status/status.h"

namespace fabrictwin {

/// `text` without spaces, tabs and line ends at both ends.
std::string_view strip(std::string_view text);

/// The parts of `text` between characters that occur in `separators`; one empty part for an empty text. The parts point
/// into `text`.
std::vector<std::string_view> split(std::string_view text, std::string_view separators);

/// `text` with the ASCII letters in the other case; other bytes stay.
std::string to_upper(std::string_view text);
std::string to_lower(std::string_view text);

/// Joins names with commas: "a, b, c".
std::string comma_list(const std::vector<std::string_view>& names);

/// A word of a command line as a shell has to read it, in quotes if need be.
std::string shell_word(std::string_view word);

/// Text as a cell of CSV (RFC 4180), in quotes where it has commas, quotes or line ends.
std::string csv_cell(std::string_view text);

/// Reads the whole of `text` as a number; false, with `value` unchanged, if it is not one or out of range. Integers are
/// decimal; the only sign allowed is "-".
template <typename Number>
requires std::integral<Number> || std::floating_point<Number>
bool parse_number(std::string_view text, Number& value) {
  Number parsed{};
  const char* const end = text.data() + text.size();
  const std::from_chars_result result = std::from_chars(text.data(), end, parsed);
  if (result.ec != std::errc() || result.ptr != end) return false;
  value = parsed;
  return true;
}

/// True if `text` is well-formed UTF-8 (no surrogates, no overlong forms).
bool is_utf8(std::string_view text);

/// The message of a status, as a view into it.
inline std::string_view message_of(const absl::Status& status) {
  return {status.message().data(), status.message().size()};
}

}  // namespace fabrictwin

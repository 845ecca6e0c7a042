// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/mutants/literal.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>

namespace fabrictwin::mutants {
namespace {

std::optional<uint64_t> number_of(std::string_view digits, int base) {
  std::string plain(digits);
  std::erase(plain, '_');
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value, base);
  if (plain.empty() || error != std::errc() || end != plain.data() + plain.size()) return std::nullopt;
  return value;
}

int base_of(char letter) {
  switch (std::tolower(static_cast<unsigned char>(letter))) {
    case 'b':
      return 2;
    case 'o':
      return 8;
    case 'h':
      return 16;
    default:
      return 10;
  }
}

}  // namespace

std::optional<std::string> neighbour(std::string_view literal) {
  const size_t quote = literal.find('\'');
  if (quote == std::string_view::npos) {
    const std::optional<uint64_t> value = number_of(literal, 10);
    return value ? std::optional(std::to_string(*value + 1)) : std::nullopt;
  }
  if (literal == "'0") return "'1";
  if (literal == "'1") return "'0";
  size_t letter = quote + 1;
  if (letter < literal.size() && (literal[letter] == 's' || literal[letter] == 'S')) ++letter;
  if (letter >= literal.size()) return std::nullopt;
  const std::optional<uint64_t> value = number_of(literal.substr(letter + 1), base_of(literal[letter]));
  const std::optional<uint64_t> width = quote == 0 ? 32 : number_of(literal.substr(0, quote), 10);
  if (!value || !width || *width > 63) return std::nullopt;
  const bool is_signed = letter > quote + 1;
  const uint64_t most = (uint64_t{1} << (*width - (is_signed && *width > 1 ? 1 : 0))) - 1;
  const uint64_t other = *value < most ? *value + 1 : *value - 1;
  return std::string(literal.substr(0, letter)) + "d" + std::to_string(other);
}

}  // namespace fabrictwin::mutants

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks of option values that commands share.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "cosim/base/text.h"

namespace fabrictwin::cli::options {

/// The message for empty file names.
inline constexpr char kFileWanted[] = "name a file";
inline constexpr char kFolderWanted[] = "name a folder";

/// Refuses an empty value, which would mean that the option is not given; the message is `wanted`.
inline CLI::Validator not_empty(const std::string& wanted) {
  return CLI::Validator([wanted](const std::string& text) { return text.empty() ? wanted : std::string(); }, "");
}

/// For CLI::Option::check(): empty unless `text` has characters that a terminal would obey.
inline std::string printable(const std::string& text) {
  const auto control = [](unsigned char c) { return c < ' ' || c == 0x7f; };
  return std::ranges::any_of(text, control) ? "it has a control character; leave that out" : std::string();
}

/// Accepts finite numbers from `least` to `most`. CLI::Range lets "nan" pass, as it is neither below nor above.
inline CLI::Validator real_range(double least, double most) {
  return CLI::Validator(
      [least, most](const std::string& text) {
        double value = 0;
        if (parse_number(text, value) && std::isfinite(value) && value >= least && value <= most) return std::string();
        return fmt::format("{} is not a number from {:g} to {:g}", text, least, most);
      },
      "");
}

/// For CLI::Option::check(): empty if `text` is a whole number that fits, else why not. CLI11's own conversion gives no
/// reason, and takes "-1" for the largest number of 64 bits.
template <typename Number>
std::string check_whole_number(const std::string& text) {
  Number number = 0;
  if (parse_number(text, number)) return {};
  return fmt::format("\"{}\" is not a whole number from 0 to {}", text, std::numeric_limits<Number>::max());
}

}  // namespace fabrictwin::cli::options

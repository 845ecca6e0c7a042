// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Helpers that the checks of all parts of an experiment share: quantities, and mistakes at their source location.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cosim/base/quantity.h"
#include "cosim/base/text.h"
#include "cosim/experiment/location_map.h"

namespace fabrictwin::experiment {

/// Reads fields by their path ("topology.torus.link_rate"); a mistake in one is added to the diagnostics at its source
/// location, and a harmless value is returned instead.
class FieldChecker {
 public:
  FieldChecker(const LocationMap& locations, DiagnosticList& diagnostics)
      : locations_(locations), diagnostics_(diagnostics) {}

  const LocationMap& locations() const { return locations_; }
  void complain(std::string_view path, std::string_view message) { diagnostics_.add(locations_.find(path), message); }

  /// Whether a text is written, even an empty one.
  bool written(std::string_view path, const std::string& text) const {
    return !text.empty() || locations_.has(std::string(path));
  }

  /// Parses a quantity, or its default if the field is not written. One that is written as an empty text is a mistake.
  template <typename Quantity>
  std::optional<Quantity> quantity(std::string_view path, const std::string& text, std::string_view fallback,
                                   absl::StatusOr<Quantity> (*parse)(std::string_view)) {
    const absl::StatusOr<Quantity> value = parse(written(path, text) ? std::string_view(text) : fallback);
    if (value.ok()) return *value;
    complain(path, message_of(value.status()));
    return std::nullopt;
  }

  Time time(std::string_view path, const std::string& text, std::string_view fallback) {
    return quantity<Time>(path, text, fallback, parse_time).value_or(Time::zero());
  }

  /// A whole number from `least` to `most`, or `fallback` if it was left out.
  int32_t number(std::string_view path, int32_t value, int32_t fallback, int32_t least, int32_t most);

  /// The rate of a link (`what`): above zero, at most a word in each cycle of the router clock, unless words do not
  /// follow it.
  Bandwidth rate(std::string_view path, const std::string& text, std::string_view fallback, std::string_view what,
                 Frequency router_clock);
  /// Allows links, from now on, to be faster than the clock of routers.
  void free_rates() { rates_follow_clock_ = false; }
  /// Sets the most router cycles that a link may take from now on, with routers of `model`.
  void limit_link_cycles(int64_t cycles, std::string_view model) {
    most_link_cycles_ = cycles;
    limiting_model_ = model;
  }
  int64_t most_link_cycles() const { return most_link_cycles_; }
  std::string_view limiting_model() const { return limiting_model_; }
  /// The latency of a link (`what`): not zero.
  Time latency(std::string_view path, const std::string& text, std::string_view fallback, std::string_view what);

 private:
  const LocationMap& locations_;
  DiagnosticList& diagnostics_;
  bool rates_follow_clock_ = true;
  int64_t most_link_cycles_ = std::numeric_limits<int64_t>::max();
  std::string_view limiting_model_;
};

}  // namespace fabrictwin::experiment

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The failure that happened first.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "cosim/base/time.h"

namespace fabrictwin::fabric {

/// Keeps the earliest of failures that are found out of order (elements are simulated a little ahead of each other,
/// shards by several threads): by time, then by element. The result is final only once everything before it has been
/// simulated. Value type.
class EarliestFailure {
 public:
  /// `time` in femtoseconds; `element` orders what fails at one time. `what` is not empty.
  void add(int64_t time, uint32_t element, std::string what) {
    if (std::tie(time, element) >= std::tie(time_, element_)) return;
    time_ = time;
    element_ = element;
    what_ = std::move(what);
  }
  void add(const EarliestFailure& other) { add(other.time_, other.element_, other.what_); }

  bool empty() const { return what_.empty(); }
  /// Time::never() if there is no failure.
  Time time() const { return Time::from_fs(time_); }
  const std::string& what() const { return what_; }

 private:
  int64_t time_ = Time::never().fs();
  uint32_t element_ = std::numeric_limits<uint32_t>::max();
  std::string what_;
};

}  // namespace fabrictwin::fabric

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Round trips of a flow, as schemes that act once in each of them count them.
#pragma once

#include <cstdint>

#include "models/congestion/signs.h"

namespace fabrictwin::congestion {

/// Counts round trips by bytes: one is over when what had been sent at its beginning is acknowledged. Value type.
class RoundTrips {
 public:
  /// Whether this acknowledgement is the first of a new round trip.
  bool over(const Feedback& feedback) {
    if (feedback.acknowledged <= end_) return false;
    end_ = feedback.sent;
    return true;
  }

 private:
  int64_t end_ = 0;  ///< Bytes that had been sent when the round trip began.
};

/// The bytes that a rate in bits per second sends in a time in femtoseconds.
inline int64_t bytes_in(double rate, int64_t time) {
  return static_cast<int64_t>(rate * static_cast<double>(time) / 8e15);
}

}  // namespace fabrictwin::congestion

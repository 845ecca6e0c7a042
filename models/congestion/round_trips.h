// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Round trips of a flow, as schemes that act once in each of them count them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/congestion/scheme.h"
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

/// The window with which a flow alone has the rate of its link: what the link sends in a time, and at least as many
/// packets as that takes. They are whole, so that a window of 4.3 packets would let only 4 of them be on their way.
inline int64_t full_window(const FlowControl::Path& path, int64_t time) {
  const int64_t bytes = bytes_in(static_cast<double>(path.line_rate), time);
  const int64_t packets = (bytes + path.max_packet - 1) / std::max(path.max_packet, 1);
  return std::max(bytes, packets * path.payload);
}

}  // namespace fabrictwin::congestion

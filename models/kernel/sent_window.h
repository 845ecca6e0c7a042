// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What an output has sent lately.
#pragma once

#include <cstdint>

#include "cosim/base/fifo.h"

namespace fabrictwin::kernel {

/// Adds up what an output has sent within a span of time: the round trip of its credits, whose flits say nothing yet of
/// congestion. Times are in any unit, and never decrease. Not thread-safe.
class SentWindow {
 public:
  explicit SentWindow(int64_t span = 0) : span_(span) {}

  void add(int64_t now, int64_t amount) {
    for (; !sends_.empty() && sends_.front().time <= now - span_; sends_.pop_front()) sum_ -= sends_.front().amount;
    sends_.push_back({now, amount});
    sum_ += amount;
  }
  /// What has been sent after `now` less the span; nothing has been sent after `now`.
  int64_t sum(int64_t now) const {
    if (sends_.empty() || sends_.back().time <= now - span_) return 0;
    int64_t sum = sum_;
    for (size_t i = 0; sends_[i].time <= now - span_; ++i) sum -= sends_[i].amount;
    return sum;
  }

 private:
  struct Send {
    int64_t time = 0;
    int64_t amount = 0;
  };

  int64_t span_;
  int64_t sum_ = 0;
  Fifo<Send> sends_;
};

}  // namespace fabrictwin::kernel

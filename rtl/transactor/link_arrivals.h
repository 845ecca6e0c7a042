// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Arrivals on a link of words, by the clock edge that samples them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "cosim/base/clock.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/record.h"
#include "cosim/link/word_serializer.h"
#include "rtl/transactor/arrival_queue.h"

namespace fabrictwin::rtl {

/// Splits bursts and credits. At most one word and one credit are sampled at an edge.
class LinkArrivals {
 public:
  static constexpr int64_t kNever = ArrivalQueue<int>::kNever;

  struct ArrivedWord {
    int64_t cycle;
    link::Word word;
    uint8_t vc;
    uint8_t flags;
  };
  struct ArrivedCredit {
    int64_t cycle;
    uint8_t vc;
    uint8_t count;
    uint8_t health;
  };

  explicit LinkArrivals(Clock element_clock) : word_sampler_(element_clock), credit_sampler_(element_clock) {}

  /// Takes all records before `until`. DataLoss names `element` and the channel if one is neither burst nor credit.
  absl::Status take_records(const std::string& element, link::ChannelReceiver& receiver, Time until);

  /// The edge of the oldest arrival, or kNever.
  int64_t next_cycle() const { return std::min(words.next_cycle(), credits.next_cycle()); }

  ArrivalQueue<ArrivedWord> words;
  ArrivalQueue<ArrivedCredit> credits;

 private:
  link::ArrivalSampler word_sampler_;
  link::ArrivalSampler credit_sampler_;
};

}  // namespace fabrictwin::rtl

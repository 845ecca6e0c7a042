// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a partition of models around a card is made of: senders, the computer, the card itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cosim/base/time.h"
#include "cosim/link/record.h"

namespace fabrictwin::nanet {

/// One element. At each time, first everything that arrives is given to it, then it acts. Used by one thread.
class Part {
 public:
  virtual ~Part() = default;

  /// A record has arrived at one of its ports. DataLoss says what is wrong with it.
  virtual absl::Status receive(int32_t port, const link::Record& record) = 0;
  /// Acts at `now`. An error ends the run.
  virtual absl::Status act(Time now) = 0;
  /// When it next acts by itself; never() if it only waits.
  virtual Time next() const = 0;
  /// What it waits for; empty if nothing.
  virtual std::string waits_for() const { return {}; }
};

}  // namespace fabrictwin::nanet

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Repetitions that a partition has measured, for who passes them on in another form.
#pragma once

#include <optional>

#include "cosim/metric/sink.h"
#include "cosim/observe/repeats.h"

namespace fabrictwin::observe {

/// Keeps what measure() of Repeats has added to it, and nothing else.
class RepeatsSink final : public metric::Sink {
 public:
  void take(const metric::Sample& sample) override;
  /// Nullopt if none have been counted.
  const std::optional<Repeats>& repeats() const { return repeats_; }

 private:
  std::optional<Repeats> repeats_;
};

}  // namespace fabrictwin::observe

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A source that generates events in batches.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "workloads/trace/format/source.h"

namespace fabrictwin::skeleton {

/// Base of skeletons that generate one whole step at a time: holds the events of that step.
class BatchedEvents : public trace::format::EventSource {
 public:
  absl::StatusOr<bool> next(trace::format::Event& event) final {
    while (at_ == batch_.size()) {
      batch_.clear();
      at_ = 0;
      if (!refill(batch_)) return false;
    }
    event = std::move(batch_[at_++]);
    return true;
  }

 protected:
  /// Adds the events of the next step, possibly none, to the empty `batch`; false at the end.
  virtual bool refill(std::vector<trace::format::Event>& batch) = 0;

 private:
  std::vector<trace::format::Event> batch_;
  size_t at_ = 0;
};

}  // namespace fabrictwin::skeleton

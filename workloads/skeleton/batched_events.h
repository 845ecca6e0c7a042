// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Events made a batch at a time.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "workloads/trace/trace_source.h"

namespace fabrictwin {

/// For skeletons whose steps are easier to write down whole: holds the events of one step.
class BatchedEvents : public EventSource {
 public:
  absl::StatusOr<bool> next(TraceEvent& event) final {
    while (at_ == batch_.size()) {
      batch_.clear();
      at_ = 0;
      if (!refill(batch_)) return false;
    }
    event = std::move(batch_[at_++]);
    return true;
  }

 protected:
  /// Puts the events of the next step, perhaps none, into the empty `batch`; false at the end.
  virtual bool refill(std::vector<TraceEvent>& batch) = 0;

 private:
  std::vector<TraceEvent> batch_;
  size_t at_ = 0;
};

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the events of an MPI run come from: a file, a skeleton that makes them up as it goes, or another source changed
// on the way.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "workloads/trace/trace_event.h"
#include "workloads/trace/trace_info.h"

namespace fabrictwin {

/// The events of one rank, in order. Not thread-safe; the sources of different ranks are independent of each other.
class EventSource {
 public:
  virtual ~EventSource() = default;

  /// Puts the next event into `event`, whose former content does not matter; false at the end. Errors are those of what
  /// the events come from, and say where they happened; once failed, it fails again.
  virtual absl::StatusOr<bool> next(TraceEvent& event) = 0;
};

/// A whole run. Immutable; thread-safe.
class TraceSource {
 public:
  virtual ~TraceSource() = default;

  virtual const TraceInfo& info() const = 0;
  uint32_t ranks() const { return info().ranks; }

  /// For messages: a file name, or what was asked for.
  virtual std::string name() const { return info().application; }

  /// The events of `rank`, which must exist, from the first on. Keeps what it needs of this trace alive.
  virtual std::unique_ptr<EventSource> rank(uint32_t rank) const = 0;
};

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Sources of the events of an MPI run: a file, a skeleton that generates them, or a transformation of another source.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "workloads/trace/format/event.h"
#include "workloads/trace/format/info.h"

namespace fabrictwin::trace::format {

/// The events of one rank, in order. Not thread-safe; the sources of different ranks are independent of each other.
class EventSource {
 public:
  virtual ~EventSource() = default;

  /// Reads the next event into `event`, whose former content is ignored; false at the end. Errors are those of the
  /// underlying source and say where they occurred; after a failure every call fails.
  virtual absl::StatusOr<bool> next(Event& event) = 0;
};

/// The events of a whole run. Immutable; thread-safe.
class Source {
 public:
  virtual ~Source() = default;

  virtual const Info& info() const = 0;
  uint32_t ranks() const { return info().ranks; }

  /// The name in messages: a file name, or what was requested.
  virtual std::string name() const { return info().application; }

  /// The events of `rank`, which must exist, from the first on. Keeps alive what it needs of this trace.
  virtual std::unique_ptr<EventSource> rank(uint32_t rank) const = 0;
};

}  // namespace fabrictwin::trace::format

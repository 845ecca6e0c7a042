// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// MPI calls of GPCNeT.
#pragma once

#include <cstdint>

#include "workloads/trace/format/event.h"

namespace fabrictwin::gpcnet {

/// A call without arguments.
inline trace::format::Event call(v1::TraceAction action) {
  trace::format::Event event;
  event.action = action;
  return event;
}

/// A message to or from `peer`.
inline trace::format::Event message(v1::TraceAction action, int32_t peer, int32_t tag, uint64_t bytes) {
  trace::format::Event event = call(action);
  event.peer = peer;
  event.tag = tag;
  event.count = bytes;
  return event;
}

}  // namespace fabrictwin::gpcnet

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the events of a packet network are.
#pragma once

#include <cstdint>

#include "models/router/packet/event/queue.h"

namespace fabrictwin::router::packet {

/// Events of a port, a buffer or a packet, whose number is the lower half of event::Entry::what.
enum EventKind : uint32_t {
  kArrive,
  kPause,
  kResume,
  kSetAside,
  kReady,
  kRead,
  kTry,
  kDeliver,
  kAside,
  kFault,
  kLook,
  kNotice,
  kClient
};

inline uint64_t what(EventKind kind, uint32_t id) { return uint64_t{kind} << 32 | id; }
inline EventKind kind_of(const event::Entry& event) { return static_cast<EventKind>(event.what >> 32); }

}  // namespace fabrictwin::router::packet

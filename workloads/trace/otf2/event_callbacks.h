// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Callbacks that handle the event records of an OTF2 archive.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>

#include "absl/status/status.h"
#include "workloads/trace/otf2/rank_events.h"

namespace fabrictwin::trace::otf2 {

/// The state that the callbacks of a location share; their `user` pointer.
struct EventState {
  RankEvents* events = nullptr;  ///< Events of a rank; null for another thread.
  uint64_t location = 0;         ///< Location of another thread.
  uint64_t records = 0;          ///< Records seen so far.
  absl::Status status;           ///< Result of the last record; reading ends with the first error.
};

/// Callbacks for all records of a rank's location: communication goes to `events`; records that do not concern it or
/// its times are ignored (threads, locks, metrics, parameters, samples, files), and the rest is refused by name. The
/// caller deletes them.
OTF2_EvtReaderCallbacks* rank_event_callbacks();

/// Callbacks for another thread: communication is refused by name, everything else ignored. The caller deletes them.
OTF2_EvtReaderCallbacks* thread_event_callbacks();

}  // namespace fabrictwin::trace::otf2

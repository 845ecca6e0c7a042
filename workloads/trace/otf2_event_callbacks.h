// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Which event records of an OTF2 archive mean what.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>

#include "absl/status/status.h"
#include "workloads/trace/otf2_rank_events.h"

namespace fabrictwin {

/// What the callbacks of a location share; their `user` pointer.
struct Otf2EventState {
  Otf2RankEvents* events = nullptr;  ///< Of a rank; null for another thread.
  uint64_t location = 0;             ///< Of another thread.
  uint64_t records = 0;              ///< Seen so far.
  absl::Status status;               ///< Of the last record; reading ends with the first error.
};

/// Callbacks for the location of a rank, all records: communication goes to `events`, what says nothing of it and of
/// its times is passed over (threads, locks, metrics, parameters, samples, files), and the rest is refused by name.
/// The caller deletes them.
OTF2_EvtReaderCallbacks* rank_event_callbacks();

/// Callbacks for another thread: communication is refused by name, all else passed over. The caller deletes them.
OTF2_EvtReaderCallbacks* thread_event_callbacks();

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks of a trace before it is replayed, from its index alone.
#pragma once

#include <memory>

#include "absl/status/status.h"
#include "workloads/trace/trace_reader.h"

namespace fabrictwin {

/// Refuses what cannot be replayed: ranks that do not call the same collectives on the world, receives that nothing is
/// sent to and sends that nobody receives (InvalidArgument). Reads events only to say where collectives differ. Tags,
/// communicators and order are not checked here: a run finds out. Messages name the trace file.
absl::Status check_replayable(const std::shared_ptr<const TraceReader>& reader);

}  // namespace fabrictwin

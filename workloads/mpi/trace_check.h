// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks a trace before it is replayed, from its index alone.
#pragma once

#include <memory>

#include "absl/status/status.h"
#include "workloads/trace/format/reader.h"

namespace fabrictwin::mpi {

/// Refuses a trace that cannot be replayed: ranks that do not call the same collectives on the world, receives without
/// a send and sends without a receive (InvalidArgument, naming the trace file). Reads events only to say where
/// collectives differ. Tags, communicators and order are not checked here; a run detects errors in them.
absl::Status check_replayable(const std::shared_ptr<const trace::format::Reader>& reader);

}  // namespace fabrictwin::mpi

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A trace whose collectives are messages.
#pragma once

#include <memory>

#include "workloads/trace/trace_source.h"

namespace fabrictwin {

/// Messages of collective n have tag kCollectiveTag + n (modulo kCollectiveTag); the program's own tags must be below.
inline constexpr int32_t kCollectiveTag = 1 << 30;

/// The trace `source` with each collective replaced by the messages that replay makes of it (plan_collective()), as it
/// is read. For formats without collectives, and for several jobs side by side. Reading fails with Unimplemented, with
/// rank and event, for a collective that replay does not know and for a tag from kCollectiveTag on.
std::shared_ptr<const TraceSource> expand_collectives(std::shared_ptr<const TraceSource> source);

}  // namespace fabrictwin

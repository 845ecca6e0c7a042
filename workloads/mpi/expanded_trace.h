// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A trace whose collectives are messages.
#pragma once

#include <memory>

#include "workloads/trace/trace_source.h"

namespace fabrictwin {

/// Messages of collectives have tags from here on: of the world kCollectiveTag plus the number of the collective, of
/// communicators those from kCommunicatorCollectiveTag on, made of both numbers.
inline constexpr int32_t kCollectiveTag = 1 << 30;
inline constexpr int32_t kCommunicatorCollectiveTag = kCollectiveTag + (1 << 29);
/// Messages of communicators have tags from here to kCollectiveTag, made of communicator and tag.
inline constexpr int32_t kCommunicatorTag = 1 << 29;
/// Tags of a communicator must be below, and numbers of its collectives are taken modulo this.
inline constexpr int32_t kTagsOfCommunicator = 1 << 18;

/// The trace `source` as messages of the world: each collective is replaced by the messages that replay makes of it
/// (plan_collective()), communicators become part of the tags, and waits name what they wait for. Done as it is read;
/// for formats without collectives and communicators. A send of a collective that is synchronous becomes a plain one.
/// Reading fails with Unimplemented, with rank and event, for a
/// collective that does not block, for a receive or probe of any tag, and for tags that do not fit.
std::shared_ptr<const TraceSource> expand_collectives(std::shared_ptr<const TraceSource> source);

}  // namespace fabrictwin

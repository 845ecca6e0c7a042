// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A trace whose collectives are expanded into messages.
#pragma once

#include <memory>

#include "workloads/trace/format/source.h"

namespace fabrictwin::mpi {

/// Messages of collectives have tags from here on: kCollectiveTag plus the number of the collective for the world; from
/// kCommunicatorCollectiveTag on for other communicators, computed from both numbers.
inline constexpr int32_t kCollectiveTag = 1 << 30;
inline constexpr int32_t kCommunicatorCollectiveTag = kCollectiveTag + (1 << 29);
/// Messages of communicators have tags from here to kCollectiveTag, computed from communicator and tag.
inline constexpr int32_t kCommunicatorTag = 1 << 29;
/// Tags of a communicator must be below this, and numbers of its collectives are taken modulo this.
inline constexpr int32_t kTagsOfCommunicator = 1 << 18;

/// The trace `source` as messages of the world: each collective is replaced by the messages that replay makes of it
/// (plan_collective()), communicators become part of the tags, and waits name what they wait for. For formats without
/// collectives and communicators; expanded while it is read. A synchronous send of a collective becomes a standard one.
/// Reading fails with Unimplemented, naming rank and event, for a nonblocking collective, for a receive or probe of any
/// tag, and for tags that do not fit.
std::shared_ptr<const trace::format::Source> expand_collectives(std::shared_ptr<const trace::format::Source> source);

}  // namespace fabrictwin::mpi

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The properties of a channel that both its ends know.
#pragma once

#include <cstdint>
#include <string>

#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "cosim/link/link_type.h"

namespace fabrictwin::link {

/// One direction of a cut link.
struct ChannelSpec {
  uint32_t id = 0;   ///< 2 * link + direction.
  std::string name;  ///< "router[0].x+->router[1].x-".
  Time latency;  ///< From the end of a word at the sender to its arrival; never zero. It is the channel's lookahead.
  Clock word_clock{Frequency{1}};  ///< One word a cycle: a word in slot n is on the wire from edge n to edge n+1 and
                                   ///< arrives at edge n+1 plus latency.
  LinkType type;
  /// Promises travel as records. Otherwise whoever uses both ends knows them from elsewhere (engine::SyncTable).
  bool promises = true;
};

}  // namespace fabrictwin::link

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What packets have recorded of their paths as the records of a cut link: docs/bridge-protocol.md has the layouts.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/record.h"
#include "models/congestion/signs.h"

namespace fabrictwin::fabric {

/// The records of a path, without channel and stamp. They follow those of the packet.
std::vector<link::Record> path_records(const congestion::PathRecord& path, uint8_t vc);

/// Takes the records of a path off a receiver, which have come. DataLoss, with channel and time, if they are not what
/// path_records() makes.
absl::StatusOr<congestion::PathRecord> take_path(link::ChannelReceiver& receiver);

}  // namespace fabrictwin::fabric

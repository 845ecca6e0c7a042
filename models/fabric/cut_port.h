// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"

namespace fabrictwin::fabric {

/// A port of a router whose link leads to another partition.
struct CutPort {
  int32_t element = 0;  ///< Of the graph.
  int32_t port = 0;
  link::ChannelSender* sender = nullptr;
  link::ChannelReceiver* receiver = nullptr;
};

}  // namespace fabrictwin::fabric

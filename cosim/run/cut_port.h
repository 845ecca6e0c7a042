// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::run {

/// A port of a partition whose link is cut.
struct CutPort {
  system::ElementId element = 0;
  int32_t port = 0;
  link::ChannelSender* sender = nullptr;
  link::ChannelReceiver* receiver = nullptr;
};

}  // namespace fabrictwin::run

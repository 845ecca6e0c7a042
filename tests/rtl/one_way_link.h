// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One direction of a link between things that a test advances by itself: a real ring with its two ends.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "cosim/link/ring.h"

namespace fabrictwin::test {

class OneWayLink {
 public:
  OneWayLink(uint32_t id, const std::string& name, Bandwidth rate, Time latency);

  link::ChannelSender* sender() { return sender_.get(); }
  link::ChannelReceiver* receiver() { return receiver_.get(); }

  /// After both ends have advanced to `now`. Internal if the ring is full.
  absl::Status flush(Time now);

 private:
  std::unique_ptr<link::RingMemory, void (*)(link::RingMemory*)> ring_;
  std::unique_ptr<link::ChannelSender> sender_;
  std::unique_ptr<link::ChannelReceiver> receiver_;
};

}  // namespace fabrictwin::test

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A channel that carries packets, for tests of their records.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "tests/cosim/link/ring_memory.h"

namespace fabrictwin::fabric {

/// Both ends of a channel. Not thread-safe.
class PacketChannel {
 public:
  static link::ChannelSpec spec() {
    return {0,
            "a->b",
            Time::from_ns(120),
            Clock::of_words(Bandwidth{10'000'000'000}, link::kWordBits),
            {link::LinkType::Content::kPackets, 2}};
  }
  /// Sends records, of which all arrive.
  absl::Status send(const std::vector<link::Record>& records) {
    const Time sent = Time::from_ns(700);
    for (const link::Record& record : records) sender_.send_record(sent, record);
    sender_.flush(sent + Time::from_ns(1));
    return receiver.poll();
  }

 private:
  TestRing ring_{1024};
  link::ChannelSender sender_{spec(), ring_.get()};

 public:
  link::ChannelReceiver receiver{spec(), ring_.get()};
};

}  // namespace fabrictwin::fabric

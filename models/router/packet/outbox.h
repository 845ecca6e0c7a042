// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the shards of a packet network send each other.
#pragma once

#include <cstdint>
#include <vector>

#include "models/congestion/signs.h"
#include "models/router/packet/buffer/input_queues.h"
#include "models/router/packet/event/queue.h"
#include "models/router/packet/records.h"

namespace fabrictwin::router::packet {

/// What a shard sends to another one.
struct alignas(64) Outbox {
  struct Credit {
    int64_t time = 0;  ///< When the sender may use it.
    uint32_t vc = 0;   ///< VC of the port that receives the credit.
    int32_t bytes = 0;
  };
  /// What the sender of a port is told.
  struct Pause {
    int64_t time = 0;  ///< When it learns of it.
    uint32_t port = 0;
    bool on = false;
  };
  struct Notice {
    int64_t time = 0;  ///< When the router knows of it.
    uint32_t element = 0;
    uint32_t port = 0;  ///< The output that is hot, or not any more.
    uint32_t by = 0;    ///< The port of the router that it comes by.
    int64_t flits = 0;
  };
  /// How a packet leaves by a link.
  struct Leaving {
    int64_t begin = 0;
    uint32_t link = 0;  ///< Its number among the kinds of links.
  };
  std::vector<PacketRecord> packets;          ///< `next`: VC of the buffer to enter; `time`: when it can leave that.
  std::vector<int64_t> ends;                  ///< By words: when the last bit of each packet has left.
  std::vector<Leaving> leaving;               ///< If other partitions count what is in buffers: that of each packet.
  std::vector<congestion::PathRecord> paths;  ///< Packets with NicPacket::kTelemetry have one each, in their order.
  std::vector<Credit> credits;
  std::vector<int32_t> numbers;  ///< With queues of a scheme: those that the credits in `credits` are for.
  std::vector<Pause> pauses;
  std::vector<buffer::SetAsideNotice> set_aside;
  std::vector<Notice> notices;
  size_t asides = 0;                     ///< Those of `packets` that go past the network, if that is counted.
  int64_t first = event::Queue::kNever;  ///< Nothing in it takes effect before this.

  bool empty() const {
    return packets.empty() && credits.empty() && pauses.empty() && set_aside.empty() && notices.empty();
  }
  void clear() {
    asides = 0;
    packets.clear();
    ends.clear();
    leaving.clear();
    paths.clear();
    credits.clear();
    numbers.clear();
    pauses.clear();
    set_aside.clear();
    notices.clear();
    first = event::Queue::kNever;
  }
};

}  // namespace fabrictwin::router::packet

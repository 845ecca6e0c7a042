// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Traces of sampled packets.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <unordered_map>
#include <vector>

#include "cosim/base/random.h"
#include "cosim/base/time.h"
#include "cosim/experiment/experiment.h"

namespace fabrictwin::observe {

/// Traces some packets from host to host. A packet is traced if a hash of (seed, source, destination, number) is below
/// a bound; if there are too many, those with the least hashes stay. So the sample is spread over the whole run, does
/// not depend on partitioning or on the order of calls, and its memory is bounded. Models report when the first flit of
/// a packet leaves and arrives; the other flits follow it. Not thread-safe.
class PacketTrace {
 public:
  /// The identity of a packet. For a message of several packets, it means the first one.
  struct Key {
    int32_t source = 0;  ///< Source and destination are the node numbers of hosts.
    int32_t destination = 0;
    uint64_t sequence = 0;  ///< Unique among those from this source to this destination.
    auto operator<=>(const Key&) const = default;
  };
  /// A move over a link.
  struct Hop {
    int32_t channel = 0;  ///< See SystemGraph::channel_name().
    Time left;            ///< When the first flit left the sender of the channel.
    Time arrives;         ///< When the first flit is in the buffer at its end.
  };
  struct Packet {
    Key key;
    int32_t flits = 0;
    Time created;                  ///< When the host wanted to send it.
    std::vector<Hop> hops;         ///< The first one leaves the source.
    Time arrived = Time::never();  ///< When the last flit was at the destination.
  };

  PacketTrace(const experiment::PacketTraceSpec& spec, uint64_t seed);

  /// True if the packet is to be traced. This may change from true to false, but never back.
  bool wants(const Key& key) const { return hash(key) < bound_; }
  /// Starts the trace of a packet that was created at `created` and whose first flit takes its first hop. Called once
  /// for each packet for which wants() is true.
  void begin(const Key& key, int32_t flits, Time created, const Hop& hop);
  /// Adds another hop of the first flit. Ignored for a packet that is not traced or was already seen on this channel.
  void move(const Key& key, const Hop& hop);
  /// Ends the trace: the last flit has arrived. Only the first call for a packet counts.
  void end(const Key& key, Time arrived);

  /// Packets that have arrived, in the order of (created, key).
  std::vector<const Packet*> finished() const;
  /// The number of traced packets that have not arrived.
  size_t unfinished() const { return packets_.size() - finished_; }

 private:
  struct KeyHash {
    size_t operator()(const Key& key) const { return mix64(flow(key) ^ mix64(key.sequence)); }
  };
  struct Ranked {
    uint64_t hash = 0;
    Key key;
    auto operator<=>(const Ranked&) const = default;
  };

  static uint64_t flow(const Key& key) {
    return static_cast<uint64_t>(key.source) << 32 | static_cast<uint32_t>(key.destination);
  }
  uint64_t hash(const Key& key) const {
    return RandomStream(seed_, flow(key), RandomPurpose::kPacketTrace).at(key.sequence);
  }

  uint64_t seed_;
  size_t max_packets_;
  unsigned __int128 bound_;  ///< Packets with a hash below it are traced; at most 2^64.
  std::unordered_map<Key, Packet, KeyHash> packets_;
  std::priority_queue<Ranked> ranked_;  ///< The traced packets, the greatest hash first.
  size_t finished_ = 0;
};

}  // namespace fabrictwin::observe

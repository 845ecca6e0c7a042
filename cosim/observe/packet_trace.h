// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The lives of sampled packets.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <unordered_map>
#include <vector>

#include "cosim/base/random.h"
#include "cosim/base/time.h"
#include "cosim/run/experiment.h"

namespace fabrictwin {

/// Follows some packets from host to host. A packet is one of them if a hash of (seed, source, destination, number) is
/// below a bound; if these are too many, those with the least hashes stay. So the sample is spread over the whole run,
/// it is the same however the run is partitioned and whatever comes first, and its memory is bounded. Whoever moves
/// packets tells when the first flit of one leaves and arrives; all flits follow it. Not thread-safe.
class PacketTrace {
 public:
  /// What names a packet. Of a message of several packets, the first one is meant.
  struct Key {
    int32_t source = 0;  ///< Hosts, by node.
    int32_t destination = 0;
    uint64_t sequence = 0;  ///< Unique among those from this source to this destination.
    auto operator<=>(const Key&) const = default;
  };
  /// A move over a link.
  struct Hop {
    int32_t channel = 0;  ///< See SystemGraph::channel_name().
    Time left;            ///< When the first flit left what is at its beginning.
    Time arrives;         ///< When it is in the buffer at its end.
  };
  struct Packet {
    Key key;
    int32_t flits = 0;
    Time created;                  ///< When the host wanted to send it.
    std::vector<Hop> hops;         ///< The first one leaves the source.
    Time arrived = Time::never();  ///< When the last flit was at the destination.
  };

  PacketTrace(const PacketTraceSpec& spec, uint64_t seed);

  /// Whether it is to be followed. May change from true to false, never back.
  bool wants(const Key& key) const { return hash(key) < bound_; }
  /// The packet exists since `created`, and its first flit takes its first hop. Once for each packet, which wants() has
  /// said yes to.
  void begin(const Key& key, int32_t flits, Time created, const Hop& hop);
  /// The first flit takes another hop. One that is not followed, or was seen on this channel, is nothing new.
  void move(const Key& key, const Hop& hop);
  /// The last flit has arrived. Only the first time counts.
  void end(const Key& key, Time arrived);

  /// Packets that have arrived, in the order of (created, key).
  std::vector<const Packet*> finished() const;
  /// Packets that are followed and have not arrived.
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
  unsigned __int128 bound_;  ///< Hashes below it are wanted; up to 2^64.
  std::unordered_map<Key, Packet, KeyHash> packets_;
  std::priority_queue<Ranked> ranked_;  ///< The same, the greatest hash first.
  size_t finished_ = 0;
};

}  // namespace fabrictwin

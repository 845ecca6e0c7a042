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

#include "absl/status/status.h"
#include "cosim/base/random.h"
#include "cosim/base/time.h"
#include "cosim/experiment/experiment.h"
#include "fabrictwin/v1/hosts_report.pb.h"

namespace fabrictwin::observe {

/// Traces some packets from host to host. A packet is traced if a hash of (seed, source, destination, number) is below
/// a bound; if there are too many, those with the least hashes stay. So the sample is spread over the whole run, does
/// not depend on partitioning or on the order of calls, and its memory is bounded. Models report when the first flit of
/// a packet leaves and arrives; the other flits follow it. In a system of several partitions, each has a trace of its
/// own for what it sees of packets, and merge() makes one of them. Not thread-safe.
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
  /// Whether all packets begin where they are followed, or some in other partitions.
  enum class Scope { kWhole, kPart };

  PacketTrace(const experiment::PacketTraceSpec& spec, uint64_t seed, Scope scope = Scope::kWhole);

  /// True if the packet is to be traced. This may change from true to false, but never back.
  bool wants(const Key& key) const { return hash(key) < bound_; }
  /// Starts the trace of a packet that was created at `created` and whose first flit takes its first hop. Called once
  /// for each packet for which wants() is true.
  void begin(const Key& key, int32_t flits, Time created, const Hop& hop);
  /// Adds another hop of the first flit. Ignored for a packet that is not traced or was already seen on this channel. A
  /// packet that begins elsewhere is traced from its first hop here on.
  void move(const Key& key, const Hop& hop);
  /// Ends the trace: the last flit has arrived. Only the first call for a packet counts.
  void end(const Key& key, Time arrived);

  /// Packets that have arrived, in the order of (created, key).
  std::vector<const Packet*> finished() const;
  /// The number of traced packets that have not arrived.
  size_t unfinished() const { return packets_.size() - finished_; }

  /// What the trace of one partition knows, in the order of keys.
  void report_part(v1::PacketTracePart& part) const;
  /// Takes over what the traces of all partitions know, instead of what this one has. The system has `channels`
  /// channels and `hosts` hosts. DataLoss if a part cannot be.
  absl::Status merge(const google::protobuf::RepeatedPtrField<v1::PacketTracePart>& parts, int32_t channels,
                     int32_t hosts);

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

  /// The packet, if it is traced here; a new one if it may have begun elsewhere.
  Packet* find(const Key& key);
  /// Makes a packet known, and drops the one with the greatest hash if there are too many. Null if that is this one.
  Packet* add(const Key& key, uint64_t rank);

  uint64_t seed_;
  Scope scope_;
  size_t max_packets_;
  unsigned __int128 bound_;  ///< Packets with a hash below it are traced; at most 2^64.
  std::unordered_map<Key, Packet, KeyHash> packets_;
  std::priority_queue<Ranked> ranked_;  ///< The traced packets, the greatest hash first.
  size_t finished_ = 0;
};

}  // namespace fabrictwin::observe

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A link of a flit network whose other end moves words: docs/models/word-edge.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "cosim/link/record.h"
#include "cosim/run/cut_port.h"
#include "cosim/system/system_graph.h"
#include "models/fabric/packet_records.h"
#include "models/fabric/word_edge.h"

namespace fabrictwin::router::input_queued {

/// Words as flits: each is in the network at the first clock edge at or after its arrival, those of the first packet of
/// a message when its envelope is there, and leaves with the first slot that the pipeline allows. Credits are those of
/// words. Not thread-safe.
class WordLink {
 public:
  /// Words that become flits in one cycle.
  struct Flits {
    int64_t cycle = 0;
    uint8_t vc = 0;
    int32_t count = 0;
    std::optional<fabric::CrossingPacket> packet;  ///< That begins with them.
  };

  /// `clock` is that of the routers. `graph` and what `port` points to outlive it; `seed` is that of the tie bits of
  /// flows. `latency` is that of the link in cycles, with the time of a word.
  WordLink(Clock clock, const system::SystemGraph& graph, uint64_t seed, run::CutPort port, int64_t latency);

  /// The cycle of the first flit that has come and has not been taken; Traffic::kNever if there is none.
  int64_t next_cycle() const;
  /// Receives what arrives until the edge of a cycle, `until`. DataLoss, with channel and time, for words and credits
  /// that no network of plain network interfaces sends.
  absl::Status receive(int64_t until);
  /// The flits of the next packet that are in the network in `cycle` or before; nothing if there are none.
  std::optional<Flits> take(int64_t cycle);
  /// The credits of the last receive(), which all are of its cycle.
  std::span<const fabric::WordEdge::Space> credits() const { return spaces_; }

  void begin(const fabric::CrossingPacket& packet, uint8_t vc) { edge_.begin(packet, vc); }
  /// Sends the next flit of the packet of a VC, or credits, which would be at the other end in `arrival`, a cycle, if
  /// that were a router of flits.
  void send_flit(int64_t arrival, uint8_t vc);
  void send_credits(int64_t arrival, uint8_t vc, int32_t count) {
    edge_.give_back_flits(clock_.edge(arrival - latency_), vc, count);
  }
  /// Packets of which words are still to come.
  size_t packets_coming() const { return edge_.packets_coming(); }

 private:
  /// The packet that comes by a VC.
  struct Vc {
    int32_t waiting = 0;  ///< Words that have come before it is in the network.
    int32_t left = 0;     ///< Words that are still to come once it is.
  };

  Clock clock_;
  run::CutPort port_;
  int64_t latency_;
  fabric::WordEdge edge_;
  std::vector<fabric::WordEdge::Arrival> arrivals_;  ///< What the last receive() has found.
  std::vector<fabric::WordEdge::Space> spaces_;
  std::vector<fabric::WordEdge::Word> words_;
  std::array<Vc, link::kVcs> vcs_;
  std::deque<Flits> coming_;  ///< By cycle.
};

}  // namespace fabrictwin::router::input_queued

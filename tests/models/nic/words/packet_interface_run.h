// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hosts whose network interfaces are PacketNics beside routers of words, on a network that holds up what it carries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cosim/base/time.h"
#include "models/memory/host_memory.h"
#include "models/nic/message.h"
#include "models/nic/queue_nic.h"

namespace fabrictwin::nic::words {

inline constexpr int32_t kHosts = 3;

/// A message that a host gives.
struct Given {
  Time time;
  int32_t source = 0;
  OutgoingMessage message;
};

/// What a run must be like, whatever its network and its PacketNics do.
struct Chart {
  struct Arrived {
    int32_t source = 0;
    int32_t destination = 0;
    Envelope envelope;
    bool intact = false;
  };
  std::vector<Arrived> arrived;
  std::vector<std::pair<int32_t, uint64_t>> left;  ///< Host and cookie.
  /// What PacketNics gave and got of each message, whose bytes are split otherwise: by source, destination, message,
  /// kind.
  std::map<std::tuple<int32_t, int32_t, uint32_t, NicPacket::Kind>, std::vector<NicPacket>> given, got;
  /// By host and port: when space is free again, and how many words.
  std::map<std::pair<int32_t, int32_t>, std::multimap<Time, int32_t>> free, credits;
  int32_t misuse = 0;  ///< Calls in a wrong order or at a wrong time.
  std::string failure;

  bool operator==(const Chart& other) const {
    return left == other.left && given == other.given && got == other.got && credits == other.credits;
  }
};

struct Options {
  QueueNic::Costs costs;
  std::optional<memory::HostMemory::Config> memory;
  Time jitter;        ///< The network delays each packet by up to this.
  Time hold;          ///< How long an arrival may have its space.
  size_t damage = 0;  ///< The word of the first packet that is damaged.
};

/// Runs until nothing is left to do.
Chart run(const std::vector<Given>& given, const Options& options);

}  // namespace fabrictwin::nic::words

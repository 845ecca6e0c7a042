// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Fragments of IP packets, put together.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "models/host/ip/packet.h"

namespace fabrictwin::host::ip {

/// Counts the bytes of datagrams whose packets arrive, in any order. A network that loses nothing needs no time-out.
/// Not thread-safe.
class Reassembly {
 public:
  /// The datagram, once all of it is there.
  std::optional<Datagram> add(const Packet& packet);
  /// Datagrams that are not complete.
  size_t incomplete() const { return missing_.size(); }

 private:
  std::map<std::tuple<uint32_t, Kind, uint64_t>, int32_t> missing_;  ///< Bytes, by flow, kind and number.
};

}  // namespace fabrictwin::host::ip

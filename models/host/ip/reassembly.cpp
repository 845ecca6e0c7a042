// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/ip/reassembly.h"

namespace fabrictwin::host::ip {

std::optional<Datagram> Reassembly::add(const Packet& packet) {
  const Datagram& datagram = packet.datagram;
  const int32_t all = header_of(datagram.kind) + datagram.bytes;
  if (packet.payload == all) return datagram;
  const auto [entry, fresh] = missing_.try_emplace({datagram.flow, datagram.kind, datagram.number}, all);
  entry->second -= packet.payload;
  if (entry->second > 0) return std::nullopt;
  missing_.erase(entry);
  return datagram;
}

}  // namespace fabrictwin::host::ip

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The packets of the Allreduce accelerator, bit for bit as in rtl/accel/allreduce: docs/models/allreduce.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "models/nic/exanet/allreduce/port.h"
#include "models/nic/exanet/packet.h"

namespace fabrictwin::nic::exanet::allreduce {

/// The kind in the ExaNet header.
inline constexpr uint8_t kPacketKind = 7;
inline constexpr uint8_t kToServer = 0;  ///< Level of the vector of a client; 1 + l is that of exchange l.
inline constexpr uint8_t kResult = 15;   ///< Level of what the server sends to its clients.
inline constexpr int kMaxExchanges = 8;  ///< 256 boards.

/// A vector, or the news of an error, which has no bytes.
struct Packet {
  Node source = 0;
  Node destination = 0;
  uint8_t sequence = 0;
  uint8_t level = 0;  ///< 4 bits.
  uint8_t operation = 0;
  uint8_t type = 0;
  uint16_t rank = 0;  ///< 10 bits: of the sender.
  uint8_t code = 0;   ///< 4 bits.
  uint16_t culprit = 0;
  uint16_t bytes = 0;
  std::array<std::byte, kMaxReduceBytes> vector{};

  std::span<const std::byte> data() const { return std::span(vector).first(bytes); }
  Words encode(const Numbering& numbering) const;
};

/// Whether a vector can have so many bytes of this type, and the operation exists.
bool shape_fits(uint8_t operation, uint8_t type, uint32_t bytes);

/// The packet in `words`, which have passed the framer and are for this node; nothing if its checksum or its shape is
/// wrong.
std::optional<Packet> parse(const Words& words);

}  // namespace fabrictwin::nic::exanet::allreduce

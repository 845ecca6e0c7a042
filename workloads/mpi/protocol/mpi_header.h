// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The MPI layer's use of the two `user` words of an envelope.
#pragma once

#include <array>
#include <cstdint>

#include "cosim/base/random.h"

namespace fabrictwin::mpi::protocol {

/// The kind of a message of the MPI layer.
enum class MpiMessageKind : uint8_t {
  kEager = 0,             ///< A user message with its body.
  kRequestToSend = 1,     ///< Announces a user message of `bytes` bytes.
  kClearToSend = 2,       ///< CTS: a receive has been posted for it.
  kData = 3,              ///< The body that was announced.
  kSynchronousEager = 4,  ///< Like kEager, but requests a kAcknowledgement.
  kReduction = 6,         ///< The result of a reduction by hardware, from the own host.
  kAcknowledgement = 5,   ///< A receive has been posted for a kSynchronousEager.
};

/// user[0]: [63] collective, [62:60] kind, [59] background, [58:32] sequence, [31:0] tag; user[1]: [63:58] destination
/// slot, [57:52] source slot, [51:41] communicator, [40:0] bytes of the user message.
struct MpiHeader {
  MpiMessageKind kind = MpiMessageKind::kEager;
  bool collective = false;  ///< Collectives match only among themselves.
  bool background = false;  ///< It is in a nonblocking collective, so not in order with the rest of its flow.
  /// A CTS or acknowledgement has the sequence of the message that it answers.
  uint32_t sequence = 0;  ///< In posting order in its flow, or in that of one background collective.
  uint32_t tag = 0;       ///< For a collective: its number among the collectives of the communicator.
  uint32_t communicator = 0;
  uint32_t source_slot = 0;       ///< Slot of the sender on its host.
  uint32_t destination_slot = 0;  ///< Slot of the receiver on its host.
  uint64_t bytes = 0;

  /// The largest sequence number of a flow.
  static constexpr uint32_t kMaxSequence = (1u << 27) - 1;
  static constexpr uint32_t kMaxCommunicator = (1u << 11) - 1;
  static constexpr uint32_t kMaxSlot = (1u << 6) - 1;
  static constexpr uint64_t kMaxBytes = (uint64_t{1} << 41) - 1;

  std::array<uint64_t, 2> encode() const {
    return {uint64_t{collective} << 63 | static_cast<uint64_t>(kind) << 60 | uint64_t{background} << 59 |
                uint64_t{sequence} << 32 | tag,
            uint64_t{destination_slot} << 58 | uint64_t{source_slot} << 52 | uint64_t{communicator} << 41 | bytes};
  }
  /// Unknown kinds are decoded as they are; the receiver refuses them.
  static MpiHeader decode(const uint64_t (&user)[2]) {
    return {.kind = static_cast<MpiMessageKind>((user[0] >> 60) & 7),
            .collective = (user[0] >> 63) != 0,
            .background = (user[0] >> 59 & 1) != 0,
            .sequence = static_cast<uint32_t>(user[0] >> 32) & kMaxSequence,
            .tag = static_cast<uint32_t>(user[0]),
            .communicator = static_cast<uint32_t>(user[1] >> 41) & kMaxCommunicator,
            .source_slot = static_cast<uint32_t>(user[1] >> 52) & kMaxSlot,
            .destination_slot = static_cast<uint32_t>(user[1] >> 58),
            .bytes = user[1] & kMaxBytes};
  }
  /// Identifies the message in its flow, whenever it is sent; the body's key is derived from it.
  uint64_t content() const {
    return background ? mix64(mix64(uint64_t{communicator} << 32 | tag) ^ sequence) : sequence;
  }
  bool operator==(const MpiHeader&) const = default;
};

}  // namespace fabrictwin::mpi::protocol

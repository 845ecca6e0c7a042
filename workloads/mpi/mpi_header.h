// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The two words of an envelope as the MPI layer uses them.
#pragma once

#include <array>
#include <cstdint>

namespace fabrictwin {

/// What a message of the MPI layer is.
enum class MpiMessageKind : uint8_t {
  kEager = 0,          ///< A user message with its body.
  kRequestToSend = 1,  ///< Announces a user message of `bytes` bytes.
  kClearToSend = 2,    ///< The receiver has a receive for it.
  kData = 3,           ///< The body that was announced.
};

/// user[0]: [63] context, [62:60] kind, [59:32] sequence, [31:0] tag; user[1]: bytes of the user message.
struct MpiHeader {
  MpiMessageKind kind = MpiMessageKind::kEager;
  bool collective = false;  ///< Collectives match only among themselves.
  uint32_t sequence = 0;  ///< Of the user message in its flow (source, destination), in posting order. A CTS names the
                          ///< message that it answers.
  uint32_t tag = 0;       ///< For a collective: its number among the rank's collectives.
  uint64_t bytes = 0;

  /// Messages that a flow can have.
  static constexpr uint32_t kMaxSequence = (1u << 28) - 1;

  std::array<uint64_t, 2> encode() const {
    return {uint64_t{collective} << 63 | static_cast<uint64_t>(kind) << 60 | uint64_t{sequence} << 32 | tag, bytes};
  }
  /// Kinds other than the four decode as they are; the receiver refuses them.
  static MpiHeader decode(const uint64_t (&user)[2]) {
    return {.kind = static_cast<MpiMessageKind>((user[0] >> 60) & 7),
            .collective = (user[0] >> 63) != 0,
            .sequence = static_cast<uint32_t>(user[0] >> 32) & kMaxSequence,
            .tag = static_cast<uint32_t>(user[0]),
            .bytes = user[1]};
  }
  bool operator==(const MpiHeader&) const = default;
};

}  // namespace fabrictwin

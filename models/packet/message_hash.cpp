// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/packet/message_hash.h"

#include <algorithm>
#include <array>
#include <span>

#include "cosim/link/packet.h"
#include "cosim/run/digest.h"

namespace fabrictwin {

uint64_t hash_of_body(const Envelope& envelope) {
  constexpr uint64_t kFirst = kMaxPayloadBytes - sizeof(Envelope);
  std::array<uint64_t, kMaxPayloadBytes / sizeof(uint64_t)> words;
  uint64_t hash = 0;
  uint64_t index = 0;
  uint64_t piece = kFirst;
  for (uint64_t left = envelope.bytes; left > 0; piece = kMaxPayloadBytes) {
    piece = std::min(piece, left);
    const uint64_t count = (piece + sizeof(uint64_t) - 1) / sizeof(uint64_t);
    for (uint64_t i = 0; i < count; ++i) words[i] = mix64(envelope.payload_key + index + i);
    hash = hash_bytes(std::as_bytes(std::span(words)).first(piece), hash);
    index += count;
    left -= piece;
  }
  return hash;
}

}  // namespace fabrictwin

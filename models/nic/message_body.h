// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Bodies of messages that are not stored: they are generated from the key where they are read, and compared with it
// where they are written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cosim/base/random.h"
#include "models/nic/message.h"

namespace fabrictwin::nic {

/// The hash of a body whose every byte is what its key says; it depends on key and length only.
uint64_t hash_of_body(const Envelope& envelope);

/// Fills `bytes` with the body of `envelope` from byte `offset` on, and with zeros beyond its end.
void make_body(const Envelope& envelope, uint64_t offset, std::span<std::byte> bytes);

/// A body that is arriving. Its bytes may come in any order and in any pieces, each byte once. Value type.
class IncomingBody {
 public:
  IncomingBody() = default;
  explicit IncomingBody(const Envelope& envelope) : envelope_(envelope) {}

  /// Takes the bytes from `offset` on whose bit in `strobes` is set; at most 256. Returns false and takes nothing if
  /// one of them lies beyond the end.
  bool write(uint64_t offset, std::span<const std::byte> bytes, const std::array<uint64_t, 4>& strobes);
  /// Takes all of the bytes, however many. Returns false and takes nothing if one of them lies beyond the end.
  bool write(uint64_t offset, std::span<const std::byte> bytes);

  const Envelope& envelope() const { return envelope_; }
  /// Bytes that have arrived.
  uint64_t received() const { return received_; }
  bool complete() const { return received_ == envelope_.bytes; }
  /// False once a byte has differed from what the key says.
  bool intact() const { return intact_; }
  /// Equal to hash_of_body() while the body is intact. Otherwise it depends on which bytes were wrong and how, but not
  /// on their order or the pieces: the sum over all 8-byte words i of difference * w(i) modulo 2^128 is mixed in, where
  /// the w(i) are fixed, odd and pseudo-random.
  uint64_t hash() const;

 private:
  /// Takes the bytes of word `index` that are set in `mask`.
  void take(uint64_t index, uint64_t value, uint64_t mask) {
    const uint64_t difference = (value ^ mix64(envelope_.payload_key + index)) & mask;
    if (difference != 0) note_damage(index, difference);
  }
  void note_damage(uint64_t index, uint64_t difference);

  Envelope envelope_;
  uint64_t received_ = 0;
  unsigned __int128 damage_ = 0;
  bool intact_ = true;
};

}  // namespace fabrictwin::nic

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Bodies of messages that nobody stores: made from the key where they are read, compared with it where they are
// written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cosim/base/random.h"
#include "models/message.h"

namespace fabrictwin {

/// What a body hashes to of which every byte is what its key says: key and length tell all of it.
uint64_t hash_of_body(const Envelope& envelope);

/// Fills `bytes` with what the body of `envelope` has from byte `offset` on, and with zeros beyond its end.
void make_body(const Envelope& envelope, uint64_t offset, std::span<std::byte> bytes);

/// A body on its way in. Its bytes may come in any order and in any pieces, each byte once. Value type.
class IncomingBody {
 public:
  IncomingBody() = default;
  explicit IncomingBody(const Envelope& envelope) : envelope_(envelope) {}

  /// Takes bytes `offset` on, those whose bit in `strobes` is set; at most 256. False if one of them lies beyond the
  /// end, and then nothing has been taken.
  bool write(uint64_t offset, std::span<const std::byte> bytes, const std::array<uint64_t, 4>& strobes);
  /// The same for all of the bytes, however many.
  bool write(uint64_t offset, std::span<const std::byte> bytes);

  const Envelope& envelope() const { return envelope_; }
  /// Bytes that have come.
  uint64_t received() const { return received_; }
  bool complete() const { return received_ == envelope_.bytes; }
  /// False once a byte was not what the key says.
  bool intact() const { return intact_; }
  /// hash_of_body() while the body is intact. Otherwise it depends on which bytes came wrong and how, not on the order
  /// or the pieces: the sum over all 8-byte words i of difference * w(i) modulo 2^128 is mixed in; the w(i) are fixed,
  /// odd and pseudo-random.
  uint64_t hash() const;

 private:
  /// Takes those bytes of word `index` that `mask` has.
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

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/message_body.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace fabrictwin::nic {
namespace {

constexpr uint64_t kWord = sizeof(uint64_t);

/// A mask of the bytes of a word whose bits are set in `strobes`.
uint64_t byte_mask(uint8_t strobes) {
  uint64_t mask = 0;
  for (int i = 0; i < 8; ++i) {
    if ((strobes >> i & 1) != 0) mask |= uint64_t{0xff} << (8 * i);
  }
  return mask;
}

}  // namespace

uint64_t hash_of_body(const Envelope& envelope) { return mix64(mix64(envelope.payload_key) ^ envelope.bytes); }

void make_body(const Envelope& envelope, uint64_t offset, std::span<std::byte> bytes) {
  const uint64_t left = envelope.bytes > offset ? envelope.bytes - offset : 0;
  const uint64_t count = std::min<uint64_t>(bytes.size(), left);
  uint64_t position = 0;
  for (uint64_t piece = 0; position < count; position += piece) {
    const uint64_t at = offset + position;
    const uint64_t value = mix64(envelope.payload_key + at / kWord);
    const uint64_t skip = at % kWord;
    piece = kWord - skip;
    // Nearly all pieces are whole words, and copies of a fixed size are fast.
    if (skip == 0 && count - position >= kWord) {
      std::memcpy(&bytes[position], &value, kWord);
      continue;
    }
    piece = std::min(piece, count - position);
    std::memcpy(&bytes[position], reinterpret_cast<const std::byte*>(&value) + skip, piece);
  }
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(count), bytes.end(), std::byte{0});
}

bool IncomingBody::write(uint64_t offset, std::span<const std::byte> bytes, const std::array<uint64_t, 4>& strobes) {
  const auto strobe = [&](uint64_t i) { return (strobes[i / 64] >> (i % 64) & 1) != 0; };
  for (uint64_t i = bytes.size(); i > 0; --i) {
    if (!strobe(i - 1)) continue;
    if (offset + i > envelope_.bytes) return false;
    break;
  }
  uint64_t position = 0;
  while (position < bytes.size()) {
    const uint64_t at = offset + position;
    const uint64_t skip = at % kWord;
    const uint64_t count = std::min<uint64_t>(kWord - skip, bytes.size() - position);
    uint64_t value = 0;
    std::memcpy(reinterpret_cast<std::byte*>(&value) + skip, &bytes[position], count);
    uint8_t written = 0;
    for (uint64_t i = 0; i < count; ++i) {
      if (strobe(position + i)) written |= static_cast<uint8_t>(1u << (skip + i));
    }
    position += count;
    if (written == 0) continue;
    take(at / kWord, value, byte_mask(written));
    received_ += static_cast<uint64_t>(std::popcount(written));
  }
  return true;
}

bool IncomingBody::write(uint64_t offset, std::span<const std::byte> bytes) {
  if (offset > envelope_.bytes || bytes.size() > envelope_.bytes - offset) return false;
  received_ += bytes.size();
  for (uint64_t position = 0; position < bytes.size();) {
    const uint64_t at = offset + position;
    const uint64_t skip = at % kWord;
    const uint64_t count = std::min<uint64_t>(kWord - skip, bytes.size() - position);
    uint64_t value = 0;
    std::memcpy(reinterpret_cast<std::byte*>(&value) + skip, &bytes[position], count);
    take(at / kWord, value, ~uint64_t{0} >> (8 * (kWord - count)) << (8 * skip));
    position += count;
  }
  return true;
}

// The products with a byte masked out and with all others masked out add up to the product of the whole word, so the
// result does not depend on the pieces.
void IncomingBody::note_damage(uint64_t index, uint64_t difference) {
  intact_ = false;
  damage_ += static_cast<unsigned __int128>(difference) * (mix64(~index) | 1);
}

uint64_t IncomingBody::hash() const {
  const uint64_t right = hash_of_body(envelope_);
  if (intact_) return right;
  return mix64(mix64(right ^ static_cast<uint64_t>(damage_)) ^ static_cast<uint64_t>(damage_ >> 64));
}

}  // namespace fabrictwin::nic

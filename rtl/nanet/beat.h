// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of frames.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fabrictwin::rtl::nanet {

using Bytes = std::vector<uint8_t>;

/// A word of a frame: nanet_pkg::beat_t.
struct Beat {
  uint64_t data = 0;
  uint8_t keep = 0;
  bool error = false;
  bool last = false;
};

/// The word of `bytes` that begins at `at`.
inline Beat word_of(const Bytes& bytes, size_t at, bool damaged = false) {
  Beat beat;
  const size_t count = std::min<size_t>(8, bytes.size() - at);
  for (size_t i = 0; i < count; ++i) beat.data |= uint64_t{bytes[at + i]} << (8 * i);
  beat.keep = static_cast<uint8_t>((1u << count) - 1);
  beat.last = at + 8 >= bytes.size();
  beat.error = beat.last && damaged;
  return beat;
}

/// Appends what a word holds.
inline void take_word(Bytes& bytes, const Beat& beat) {
  for (int i = 0; i < 8; ++i) {
    if ((beat.keep >> i & 1) != 0) bytes.push_back(static_cast<uint8_t>(beat.data >> (8 * i)));
  }
}

}  // namespace fabrictwin::rtl::nanet

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <array>
#include <utility>

namespace fabrictwin {
namespace {

/// Integers at which size and sign computations go wrong.
constexpr std::array<uint64_t, 12> kExtremes = {0,
                                                1,
                                                0x7f,
                                                0x80,
                                                0xff,
                                                0x7fff,
                                                0xffff,
                                                0x7fff'ffff,
                                                0x8000'0000,
                                                0xffff'ffff,
                                                0x7fff'ffff'ffff'ffff,
                                                0xffff'ffff'ffff'ffff};

}  // namespace

Mutator::Mutator(std::vector<std::string> corpus, uint64_t seed, size_t max_size)
    : corpus_(std::move(corpus)), max_size_(max_size), random_(seed, 0, RandomPurpose::kTest) {}

std::string Mutator::next() {
  std::string input = corpus_[random_.next_below(corpus_.size())];
  const uint64_t changes = 1 + random_.next_below(4);
  for (uint64_t i = 0; i < changes; ++i) change(input);
  if (input.size() > max_size_) input.resize(max_size_);
  return input;
}

void Mutator::change(std::string& input) {
  const size_t at = position(input);
  switch (random_.next_below(8)) {
    case 0:  // Flip a bit.
      if (!input.empty()) input[at] = static_cast<char>(input[at] ^ (1 << random_.next_below(8)));
      return;
    case 1:  // Another byte.
      if (!input.empty()) input[at] = static_cast<char>(random_.next());
      return;
    case 2: {  // An extreme integer of 1, 2, 4 or 8 bytes, little-endian.
      uint64_t value = kExtremes[random_.next_below(kExtremes.size())];
      const size_t width = size_t{1} << random_.next_below(4);
      for (size_t i = at; i < std::min(at + width, input.size()); ++i, value >>= 8) input[i] = static_cast<char>(value);
      return;
    }
    case 3:  // Cut off the end.
      input.resize(at);
      return;
    case 4:  // Take a part out.
      input.erase(at, length(input.size() - at));
      return;
    case 5: {  // Repeat a part.
      const std::string part = input.substr(at, length(input.size() - at));
      input.insert(position(input), part);
      return;
    }
    case 6: {  // Put random bytes in.
      std::string part(length(16), '\0');
      for (char& byte : part) byte = static_cast<char>(random_.next());
      input.insert(at, part);
      return;
    }
    default: {  // Go on with a part of another input.
      const std::string& other = corpus_[random_.next_below(corpus_.size())];
      const size_t from = position(other);
      input.replace(at, std::string::npos, other, from, std::string::npos);
      return;
    }
  }
}

}  // namespace fabrictwin

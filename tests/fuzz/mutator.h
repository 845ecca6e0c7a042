// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Damages inputs the way transports, editors and attackers do; the same way each time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cosim/base/random.h"

namespace fabrictwin {

/// Makes damaged variants of the inputs of a corpus. The sequence depends on the corpus and the seed only.
class Mutator {
 public:
  /// `corpus` is not empty. Variants are at most `max_size` bytes.
  Mutator(std::vector<std::string> corpus, uint64_t seed, size_t max_size = 1 << 16);

  /// The next variant: an input of the corpus after one to four changes (flipped bits, other bytes, extreme integers,
  /// cuts, repetitions, insertions, parts of other inputs).
  std::string next();

 private:
  void change(std::string& input);
  size_t position(const std::string& input) { return input.empty() ? 0 : random_.next_below(input.size()); }
  size_t length(size_t limit) { return random_.next_below((limit < 64 ? limit : 64) + 1); }

  std::vector<std::string> corpus_;
  size_t max_size_;
  RandomStream random_;
};

}  // namespace fabrictwin

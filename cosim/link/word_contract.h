// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the two ends of a link of words may expect of each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cosim/link/link_type.h"

namespace fabrictwin::link {

/// Watches one end of a link: packets are whole, each word has had a credit, no credit is given back that was not used,
/// and only the VCs of the link are used. For an element that nobody here has written. Not thread-safe.
class WordContract {
 public:
  /// `credits` are those of each VC at the beginning, in each direction.
  WordContract(const LinkType& type, int32_t credits);

  /// A word or credits come from the neighbour. What is wrong, as the end of a sentence; empty if nothing is.
  std::string word_comes(uint8_t vc, bool first, bool last);
  std::string credits_come(uint8_t vc, uint8_t count);
  /// A word or credits leave. What is wrong, as above.
  std::string word_leaves(uint8_t vc, bool first, bool last);
  std::string credits_leave(uint8_t vc, uint8_t count);

 private:
  struct Vc {
    int32_t credits = 0;   ///< For words to the neighbour.
    int32_t owed = 0;      ///< Not yet given back for words from the neighbour.
    int32_t sent = 0;      ///< Words of the packet that leaves.
    int32_t received = 0;  ///< Words of the packet that comes.
  };

  int32_t credit_words_;
  int32_t credits_;
  std::vector<Vc> vcs_;
};

}  // namespace fabrictwin::link

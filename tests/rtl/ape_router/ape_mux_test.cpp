// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The multiplexer of the switch, for each number of words that it treats in a way of its own.
#include <gtest/gtest.h>

#include "VApeMux10.h"
#include "VApeMux12.h"
#include "VApeMux16.h"
#include "VApeMux6.h"
#include "VApeMux8.h"

namespace fabrictwin::test {
namespace {

/// Words of 32 bits, so that a word is an element of the input.
template <class Model>
void expect_every_word(unsigned count) {
  Model model;
  for (unsigned w = 0; w < count; ++w) model.words_i[w] = 0x9e3779b9u * (w + 1);
  for (unsigned w = 0; w < count; ++w) {
    model.index_i = static_cast<uint8_t>(w);
    model.eval();
    EXPECT_EQ(model.word_o, 0x9e3779b9u * (w + 1)) << "word " << w << " of " << count;
  }
}

TEST(ApeMux, Six) { expect_every_word<VApeMux6>(6); }
TEST(ApeMux, Eight) { expect_every_word<VApeMux8>(8); }
TEST(ApeMux, Ten) { expect_every_word<VApeMux10>(10); }
TEST(ApeMux, Twelve) { expect_every_word<VApeMux12>(12); }
TEST(ApeMux, Sixteen) { expect_every_word<VApeMux16>(16); }

}  // namespace
}  // namespace fabrictwin::test

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/link/word_contract.h"

#include <gtest/gtest.h>

namespace fabrictwin::link {
namespace {

constexpr LinkType kWords{.vcs = 3, .word_bits = 64, .credit_words = 2};
constexpr int32_t kCredits = 4;

TEST(WordContract, AllowsWhatHasCredits) {
  WordContract contract(kWords, kCredits);
  // Seven words use four credits, and their neighbours on another VC four more.
  for (const uint8_t vc : {0, 2}) {
    for (int i = 0; i < 7; ++i) {
      EXPECT_EQ(contract.word_leaves(vc, i == 0, i == 6), "");
      EXPECT_EQ(contract.word_comes(vc, i == 0, i == 6), "");
    }
    EXPECT_EQ(contract.credits_come(vc, 3), "");
    EXPECT_EQ(contract.credits_come(vc, 1), "");
    EXPECT_EQ(contract.credits_leave(vc, 4), "");
  }
  EXPECT_EQ(contract.word_leaves(0, true, true), "");
  EXPECT_EQ(contract.word_comes(0, true, true), "");
}

TEST(WordContract, NamesWordsWithoutCredits) {
  WordContract contract(kWords, kCredits);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(contract.word_leaves(1, i == 0, false), "");
    EXPECT_EQ(contract.word_comes(1, i == 0, false), "");
  }
  EXPECT_EQ(contract.word_leaves(1, false, false), "it sends on VC 1 without a credit");
  EXPECT_EQ(contract.word_comes(1, false, false), "a word comes on VC 1 without a credit");
}

// A packet takes whole credits, so the next one begins with another.
TEST(WordContract, CountsTheCreditsOfEachPacketAnew) {
  WordContract contract(kWords, kCredits);
  for (int packet = 0; packet < 4; ++packet) {
    EXPECT_EQ(contract.word_leaves(0, true, true), "");
    EXPECT_EQ(contract.word_comes(0, true, true), "");
  }
  EXPECT_NE(contract.word_leaves(0, true, true), "");
  EXPECT_NE(contract.word_comes(0, true, true), "");
}

TEST(WordContract, NamesPacketsThatAreNotWhole) {
  for (const bool inside : {false, true}) {
    WordContract contract(kWords, kCredits);
    if (inside) {
      EXPECT_EQ(contract.word_leaves(0, true, false), "");
      EXPECT_EQ(contract.word_comes(0, true, false), "");
    }
    EXPECT_EQ(contract.word_leaves(0, inside, false), "it sends a packet without an end, or without a beginning");
    EXPECT_EQ(contract.word_comes(0, inside, false), "a packet comes without an end, or without a beginning");
  }
}

TEST(WordContract, NamesCreditsThatWereNotUsed) {
  WordContract contract(kWords, kCredits);
  EXPECT_EQ(contract.credits_come(2, 1), "more credits come for VC 2 than there are");
  EXPECT_EQ(contract.word_comes(2, true, true), "");
  EXPECT_EQ(contract.credits_leave(2, 1), "");
  EXPECT_EQ(contract.credits_leave(2, 1), "it gives back more credits of VC 2 than were used");
}

TEST(WordContract, NamesVcsThatDoNotExist) {
  WordContract contract(kWords, kCredits);
  EXPECT_EQ(contract.word_leaves(3, true, true), "it sends on VC 3, and there are 3");
  EXPECT_EQ(contract.word_comes(255, true, true), "a word comes on VC 255, and there are 3");
  EXPECT_EQ(contract.credits_leave(3, 1), "it gives back credits of VC 3, and there are 3");
  EXPECT_EQ(contract.credits_come(3, 1), "credits come for VC 3, and there are 3");
}

}  // namespace
}  // namespace fabrictwin::link

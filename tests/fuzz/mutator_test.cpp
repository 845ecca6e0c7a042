// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/mutator.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace fabrictwin {
namespace {

const std::vector<std::string> kCorpus = {"", "seed: 1", "topology { torus { dims: 4 } }", std::string(300, '\0')};

std::vector<std::string> variants(uint64_t seed, size_t max_size = 1 << 16) {
  Mutator mutator(kCorpus, seed, max_size);
  std::vector<std::string> result(2000);
  for (std::string& variant : result) variant = mutator.next();
  return result;
}

TEST(Mutator, TheSameSeedGivesTheSameVariants) {
  EXPECT_EQ(variants(1), variants(1));
  EXPECT_NE(variants(1), variants(2));
}

TEST(Mutator, VariantsDifferFromTheCorpusAndFromEachOther) {
  const std::vector<std::string> all = variants(1);
  std::set<std::string> different(all.begin(), all.end());
  for (const std::string& input : kCorpus) different.erase(input);
  EXPECT_GT(different.size(), 1000u);
}

TEST(Mutator, VariantsStayBelowTheLimit) {
  for (const std::string& variant : variants(3, 100)) EXPECT_LE(variant.size(), 100u);
}

}  // namespace
}  // namespace fabrictwin

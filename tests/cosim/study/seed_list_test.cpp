// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/seed_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cosim/base/text.h"

namespace fabrictwin {
namespace {

using study::parse_seeds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Texts = std::vector<std::string>;

TEST(SeedList, HasNumbersAndRanges) {
  EXPECT_THAT(parse_seeds(Texts{"7", "3"}).value(), ElementsAre(7, 3));
  EXPECT_THAT(parse_seeds(Texts{"1:3", "9"}).value(), ElementsAre(1, 2, 3, 9));
  EXPECT_THAT(parse_seeds(Texts{"5:5"}).value(), ElementsAre(5));
  EXPECT_THAT(parse_seeds(Texts{"0:11:5"}).value(), ElementsAre(0, 5, 10));
  EXPECT_THAT(parse_seeds(Texts{"18446744073709551614:18446744073709551615"}).value(),
              ElementsAre(18446744073709551614u, 18446744073709551615u));
  EXPECT_EQ(parse_seeds(Texts{"1:10000"}).value().size(), 10'000u);
  EXPECT_TRUE(parse_seeds(Texts{}).value().empty());
}

TEST(SeedList, RefusesWhatIsNoSeed) {
  for (const char* text : {"", "x", "-1", "1.5", "1:", ":3", "1:2:3:4", "1-3", "1..3", "18446744073709551616"}) {
    EXPECT_THAT(std::string(message_of(parse_seeds(Texts{text}).status())),
                HasSubstr(std::string("\"") + text + "\" is neither a seed nor a range of seeds; write numbers"));
  }
  EXPECT_THAT(std::string(message_of(parse_seeds(Texts{"3:1"}).status())),
              HasSubstr("ends before it begins; write 1:3"));
  EXPECT_THAT(std::string(message_of(parse_seeds(Texts{"1:3:0"}).status())), HasSubstr("has a step of 0"));
  for (const Texts& texts : {Texts{"0:10000"}, Texts{"1:10000", "7"}, Texts{"0:18446744073709551615"}}) {
    EXPECT_THAT(std::string(message_of(parse_seeds(texts).status())), HasSubstr("more than 10000 seeds; write fewer"));
  }
}

}  // namespace
}  // namespace fabrictwin

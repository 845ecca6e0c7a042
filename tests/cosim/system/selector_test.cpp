// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "cosim/base/text.h"
#include "cosim/system/element_pattern.h"
#include "cosim/system/plan.h"
#include "tests/cosim/system/small_graph.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

TEST(SelectorTest, NamesElements) {
  const system::SystemGraph graph = small_graph({2, 2});  // Hosts are 0 to 3, routers 4 to 7.
  EXPECT_THAT(*system::select_elements(graph, "*"), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(*system::select_elements(graph, "router[*]"), ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(*system::select_elements(graph, "host[2]"), ElementsAre(2));
  EXPECT_THAT(*system::select_elements(graph, "router[1..2]"), ElementsAre(5, 6));
  EXPECT_THAT(*system::select_elements(graph, "router[3], host[0],router[2..3]"), ElementsAre(0, 6, 7));
}

TEST(SelectorTest, TakesListsInBrackets) {
  const system::SystemGraph graph = small_graph({2, 2});
  EXPECT_THAT(*system::select_elements(graph, "router[0,2,3]"), ElementsAre(4, 6, 7));
  EXPECT_THAT(*system::select_elements(graph, "router[3,0..1], host[ 2 , 1 ]"), ElementsAre(1, 2, 4, 5, 7));
  EXPECT_EQ(message_of(system::select_elements(graph, "router[1,7]").status()),
            "there is no router[7]; the elements are router[0..3] and host[0..3]");
}

TEST(SelectorTest, MakesPartsOfLists) {
  EXPECT_THAT(system::selector_parts("qfdb[0,1].switch[3,2..4],host[5]"),
              Optional(ElementsAre("qfdb[0].switch[3]", "qfdb[0].switch[2..4]", "qfdb[1].switch[3]",
                                   "qfdb[1].switch[2..4]", "host[5]")));
  EXPECT_THAT(system::selector_parts("mpsoc[0.1.2,1.*.0]"), Optional(ElementsAre("mpsoc[0.1.2]", "mpsoc[1.*.0]")));
  // What makes no sense is for the pattern to refuse.
  EXPECT_THAT(system::selector_parts("router[1"), Optional(ElementsAre("router[1")));
  std::string hostile = "a";
  for (int i = 0; i < 64; ++i) hostile += ".a[0,1]";
  EXPECT_EQ(system::selector_parts(hostile), std::nullopt);
}

TEST(SelectorTest, SaysWhatIsWrong) {
  const system::SystemGraph graph = small_graph({2, 2});
  struct Case {
    const char* selector;
    const char* message;
  };
  const Case cases[] = {
      {"router[4]", "there is no router[4]; the elements are router[0..3] and host[0..3]"},
      {"router[2..9]", "there is no router[9]; the elements are router[0..3] and host[0..3]"},
      {"rotuer[1]",
       "there is no element \"rotuer[1]\" (did you mean \"router\"?); the elements are router[0..3] and host[0..3]"},
      {"nic[0]", "there is no element \"nic[0]\"; the elements are router[0..3] and host[0..3]"},
      {"router[3..1]", "\"router[3..1]\" is an empty range; write the smaller number first, as in router[1..3]"},
      {"router",
       "\"router\" is not a selector; write \"*\", \"router[*]\", \"router[3]\", \"router[0..3]\" or several with "
       "commas; the elements are router[0..3] and host[0..3]"},
      {"router[-1]",
       "\"router[-1]\" is not a selector; write \"*\", \"router[*]\", \"router[3]\", \"router[0..3]\" or several with "
       "commas; the elements are router[0..3] and host[0..3]"},
  };
  for (const Case& c : cases) {
    const auto selected = system::select_elements(graph, c.selector);
    ASSERT_FALSE(selected.ok()) << c.selector;
    EXPECT_EQ(message_of(selected.status()), c.message);
  }
  for (const char* selector : {"", ",", "router[", "router[]", "router[a]", "router[1", "router]1[", "[0]",
                               "router[1..]", "router[..1]", "router[99999999999999999999]", "router[1],",
                               "router[0x1]", "router[1,]", "router[,1]", "router[1,,2]", "router[1,2"}) {
    EXPECT_FALSE(system::select_elements(graph, selector).ok()) << selector;
  }
}

}  // namespace
}  // namespace fabrictwin

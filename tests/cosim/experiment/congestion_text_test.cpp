// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/congestion_text.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/experiments.h"

namespace fabrictwin {
namespace {

std::string text_of(const std::string& fields) {
  const auto experiment = test::parse_experiment(
      "topology { spine_leaf { spines: 1 leaves: 2 hosts_per_leaf: 2 } }\n"
      "router { model: PACKET }\nworkload { incast { sources: 2 bytes: \"1MB\" } }\n" +
          fields,
      "e.textproto");
  EXPECT_TRUE(experiment.ok()) << experiment.status();
  return experiment.ok() ? experiment::congestion_text(*experiment) : "";
}

TEST(CongestionText, NamesWhatManagesCongestionWithTheParametersThatAreGiven) {
  EXPECT_EQ(text_of(""), "");
  EXPECT_EQ(text_of("congestion { dcqcn { } }"), "dcqcn { }");
  EXPECT_EQ(text_of("pfc { }\ncongestion { ib_cca { limit: 127 } }"), "ib_cca { limit: 127 }, pfc { }");
  EXPECT_EQ(text_of("queues { scheme: DBBM count: 4 }"), "queues { scheme: DBBM count: 4 }");
}

}  // namespace
}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/queues/classifier.h"

#include <gtest/gtest.h>

namespace fabrictwin::congestion {
namespace {

experiment::QueuesSpec spec_of(v1::Queues::Scheme scheme, int32_t count = 0) {
  experiment::QueuesSpec spec;
  spec.scheme = scheme;
  spec.count = count;
  return spec;
}

TEST(ClassifierTest, OneQueueTakesAll) {
  const Classifier one(spec_of(v1::Queues::ONE), 64, 5);
  EXPECT_EQ(one.queues(), 1);
  EXPECT_EQ(one.queue_of(63, 4), 0);
  EXPECT_FALSE(one.by_output() || one.by_destination());
}

TEST(ClassifierTest, VoqswGoesByOutputAndVoqnetByDestination) {
  const Classifier outputs(spec_of(v1::Queues::VOQSW), 64, 5);
  EXPECT_EQ(outputs.queues(), 5);
  EXPECT_TRUE(outputs.by_output());
  EXPECT_EQ(outputs.queue_of(63, 4), 4);
  const Classifier hosts(spec_of(v1::Queues::VOQNET), 64, 5);
  EXPECT_EQ(hosts.queues(), 64);
  EXPECT_TRUE(hosts.by_destination());
  EXPECT_EQ(hosts.queue_of(63, 4), 63);
}

TEST(ClassifierTest, DbbmAndObqaTakeTheRestOfDestinationAndOutput) {
  const Classifier dbbm(spec_of(v1::Queues::DBBM, 8), 64, 5);
  EXPECT_EQ(dbbm.queues(), 8);
  EXPECT_EQ(dbbm.queue_of(27, 4), 3);
  const Classifier obqa(spec_of(v1::Queues::OBQA, 4), 64, 8);
  EXPECT_EQ(obqa.queues(), 4);
  EXPECT_TRUE(obqa.by_output());
  EXPECT_EQ(obqa.queue_of(27, 6), 2);
}

TEST(ClassifierTest, FbicmPutsAllIntoTheColdQueueFirst) {
  const Classifier fbicm(spec_of(v1::Queues::FBICM, 8), 64, 5);
  EXPECT_EQ(fbicm.queues(), 9);
  EXPECT_EQ(fbicm.queue_of(27, 4), 0);
  EXPECT_FALSE(fbicm.by_output() || fbicm.by_destination());
}

}  // namespace
}  // namespace fabrictwin::congestion

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/reproduction/dcqcn_fixed_point.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fabrictwin::study::reproduction {
namespace {

// Computed by other code.
TEST(DcqcnFixedPoint, MeetsTheSolutionOfOthers) {
  struct Expected {
    int flows;
    double probability, queue;
  };
  for (const Expected& of : {Expected{2, 0.000249536, 401'497}, Expected{8, 0.00148756, 408'925},
                             Expected{16, 0.00359624, 421'577}, Expected{64, 0.0203981, 522'389}}) {
    DcqcnFluid fluid;
    fluid.flows = of.flows;
    EXPECT_NEAR(dcqcn_fixed_point(fluid), of.probability, 1e-5 * of.probability);
    EXPECT_NEAR(dcqcn_fixed_queue(fluid), of.queue, 1);
  }
}

TEST(DcqcnFixedPoint, NoQueueMarksMoreThanPmax) {
  DcqcnFluid fluid;
  fluid.flows = 64;
  fluid.pmax = 0.01;
  EXPECT_TRUE(std::isnan(dcqcn_fixed_queue(fluid)));
}

}  // namespace
}  // namespace fabrictwin::study::reproduction

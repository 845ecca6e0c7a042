// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/geometric_gap.h"

namespace fabrictwin::traffic {

GeometricGap::GeometricGap(double probability) {
  double power = 1.0 - probability;
  for (double& entry : powers_) {
    entry = power;
    power *= power;
  }
}

int64_t GeometricGap::next(RandomStream& random) const {
  // P(gap >= n) = (1 - p)^n: the largest n with (1 - p)^n > u, bit by bit from the top.
  const double u = random.next_unit();
  double product = 1.0;
  int64_t gap = 0;
  for (int i = kPowers - 1; i >= 0; --i) {
    const double longer = product * powers_[i];
    if (longer <= u) continue;
    product = longer;
    gap += int64_t{1} << i;
  }
  return gap;
}

}  // namespace fabrictwin::traffic

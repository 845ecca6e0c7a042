// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/reproduction/dcqcn_fixed_point.h"

#include <cmath>
#include <limits>

namespace fabrictwin::study::reproduction {
namespace {

/// How much faster rates fall than rise if packets are marked with probability `p`: it grows with p, and is zero at the
/// fixed point.
double excess(const DcqcnFluid& fluid, double p) {
  const double rate = fluid.link_gbps * 1e9 / 8 / fluid.packet_bytes / fluid.flows;  // In packets a second.
  const double additive = fluid.additive_mbps * 1e6 / 8 / fluid.packet_bytes;
  const double notice = fluid.notice_us * 1e-6;
  const double unmarked = std::log1p(-p);
  const double cuts = -std::expm1(notice * rate * unmarked);
  const double alpha = -std::expm1(fluid.alpha_us * 1e-6 * rate * unmarked);
  const double period = fluid.increase_us * 1e-6 * rate;
  const double increases = p / std::expm1(-period * unmarked);
  const double beyond_recovery = increases * std::exp(fluid.fast_recovery * period * unmarked);
  return std::log(cuts * cuts * alpha) - std::log(increases * beyond_recovery) -
         std::log(notice * notice * additive * rate);
}

}  // namespace

double dcqcn_fixed_point(const DcqcnFluid& fluid) {
  // Probabilities span decades, so their logarithm is bisected.
  double low = std::log(1e-9);
  double high = std::log(0.999);
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    (excess(fluid, std::exp(middle)) < 0 ? low : high) = middle;
  }
  return std::exp(low);
}

double dcqcn_fixed_queue(const DcqcnFluid& fluid) {
  const double p = dcqcn_fixed_point(fluid);
  if (p > fluid.pmax) return std::numeric_limits<double>::quiet_NaN();
  return fluid.kmin_bytes + p / fluid.pmax * (fluid.kmax_bytes - fluid.kmin_bytes);
}

}  // namespace fabrictwin::study::reproduction

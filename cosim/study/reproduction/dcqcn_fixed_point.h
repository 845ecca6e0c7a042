// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Where DCQCN settles, by its fluid model.
#pragma once

namespace fabrictwin::study::reproduction {

/// Parameters of DCQCN without a byte counter, and the flows that share a link.
struct DcqcnFluid {
  double link_gbps = 100;
  int packet_bytes = 1048;
  int flows = 8;
  double notice_us = 50;    ///< A sender cuts its rate at most once in this time.
  double alpha_us = 55;     ///< The timer of alpha.
  double increase_us = 55;  ///< The timer of increases.
  int fast_recovery = 5;
  double additive_mbps = 40;
  double kmin_bytes = 400e3;
  double kmax_bytes = 1600e3;
  double pmax = 0.2;
};

/// The probability of a mark at the fixed point of the fluid model (Y. Zhu, M. Ghobadi, V. Misra, J. Padhye, "ECN or
/// delay: lessons learnt from analysis of DCQCN and TIMELY", CoNEXT 2016, section 3), where all flows have the same
/// rate.
double dcqcn_fixed_point(const DcqcnFluid& fluid);
/// The queue in bytes that marks with that probability; NaN if it is above `pmax`.
double dcqcn_fixed_queue(const DcqcnFluid& fluid);

}  // namespace fabrictwin::study::reproduction

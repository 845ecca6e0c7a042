// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact max-min fairness, computed by outputs without state of single flows: the algorithm s-PERC of Jose, Ibanez,
// Alizadeh and McKeown, "A distributed algorithm to calculate max-min fair rates without per-flow state", POMACS 3(2),
// 2019, in the manner of ACCurate. docs/models/max-min.md
#pragma once

#include <cstdint>
#include <vector>

#include "models/congestion/scheme.h"

namespace fabrictwin::congestion {

struct MaxMinSpec {
  double target = 0;      ///< The share of a link that is given out.
  int32_t telemetry = 0;  ///< In bytes.
  int64_t interval = 0;   ///< In femtoseconds; 0: the largest round trip of an empty network.
};

/// The sender's state of a flow: what its outputs have allotted. One packet at a time asks for it.
class MaxMinFlow final : public FlowControl {
 public:
  /// `spec` outlives it.
  MaxMinFlow(const MaxMinSpec& spec, const Path& path);

  void acknowledged(const Feedback& feedback) override;
  void begin(PathRecord& record) override;
  bool leaves() override;

 private:
  void forget();

  const MaxMinSpec& spec_;
  std::vector<Allotment> allotments_;  ///< What the last answer had.
  bool leaving_ = false;
};

/// What outputs know: how many flows they limit, and how much the others take.
class FairShares final : public SwitchSide {
 public:
  explicit FairShares(const MaxMinSpec& spec) : spec_(spec) {}
  void control(const PortState& port) override;
  void record(const PortState& port, PathRecord& path) override;

 private:
  /// Flows and rates in bits per second. Sums of whole numbers do not depend on the order in which flows come and go.
  struct Sums {
    int64_t flows = 0;
    int64_t limited = 0;    ///< How many of them this output limits.
    int64_t elsewhere = 0;  ///< The rates of the others.
  };
  struct Output {
    Sums now;              ///< Flows that have asked in this period,
    Sums before;           ///< and those that have asked in the period before, but not in this one.
    int64_t period = 0;    ///< The number of this period.
    int64_t most = 0;      ///< The largest rate of a flow that others limit, of this round and the one before,
    int64_t in_round = 0;  ///< and of this round.
    int64_t round_begin = 0;
    int64_t round_end = 0;
    int64_t control_bytes = 0;  ///< Of control packets in this round,
    int64_t control_rate = 0;   ///< and what they took in the one before.
  };
  Output& at(const PortState& port) {
    if (outputs_.size() <= port.output) outputs_.resize(port.output + 1);
    return outputs_[port.output];
  }
  static void turn(Output& output, int64_t now, int64_t interval);
  int64_t capacity(const PortState& port, const Output& output, const Sums& sums, const Allotments& asked) const;

  const MaxMinSpec& spec_;
  std::vector<Output> outputs_;  ///< By number; those of other shards are not used.
};

}  // namespace fabrictwin::congestion

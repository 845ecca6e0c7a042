// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The errors of the latencies of one run against another run of the same workload, message by message.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/observe/message_log.h"
#include "fabrictwin/v1/validation.pb.h"

namespace fabrictwin::study::calibration {

/// Collects pairs of runs: one with models, one with the implementation that they are compared with. Not thread-safe.
class LatencyErrors {
 public:
  /// Matches the messages of two runs with this seed, and fills in the counts of `run`.
  void add(uint64_t seed, const observe::MessageLog& model, const observe::MessageLog& reference,
           v1::ValidatedRun& run);

  /// The latencies of messages that begin or end in an island, whose hosts `in_island` says by their numbers, in both
  /// runs of a pair: all, those that leave it, come into it and stay in it. Groups without messages are left out.
  v1::IslandErrors island(const std::vector<bool>& in_island) const;

  /// The errors of all messages that arrived in both runs of a pair, with the `worst` largest ones by name.
  v1::LatencyErrors summary(size_t worst) const;

 private:
  struct Pair {
    uint64_t seed = 0;
    observe::LoggedMessage model;
    observe::LoggedMessage reference;

    double model_seconds() const { return (model.arrived - model.sent).seconds(); }
    double reference_seconds() const { return (reference.arrived - reference.sent).seconds(); }
    int64_t error_fs() const { return (model.arrived - model.sent).fs() - (reference.arrived - reference.sent).fs(); }
    double relative() const;
  };

  std::vector<Pair> pairs_;
};

}  // namespace fabrictwin::study::calibration

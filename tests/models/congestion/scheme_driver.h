// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Schemes of an experiment, driven by hand.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "cosim/experiment/experiment.h"
#include "fmt/format.h"
#include "models/congestion/scheme.h"
#include "workloads/tenants.h"

namespace fabrictwin::congestion {

inline constexpr int64_t kMicro = 1'000'000'000;
inline constexpr FlowControl::Path kLine{.line_rate = 100'000'000'000,
                                         .round_trip = 8 * kMicro,
                                         .max_packet = 1048,
                                         .network_round_trip = 0,
                                         .switches = 2,
                                         .payload = 1000};

/// An experiment with a scheme, as text.
inline experiment::Experiment experiment_with(const std::string& congestion) {
  auto experiment = experiment::parse_experiment(
      fmt::format("topology {{ fat_tree {{ down: 9 }} }} router {{ model: PACKET }} pfc {{ }} workload {{ incast {{ "
                  "sources: 8 bytes: \"1MB\" }} }} congestion {{ {} }}",
                  congestion),
      "test", workloads::tenants());
  if (!experiment.ok()) ADD_FAILURE() << experiment.status();
  return experiment.ok() ? *std::move(experiment) : experiment::Experiment();
}

/// Feeds a flow acknowledgements of a packet each, one after the other.
class Acknowledger {
 public:
  explicit Acknowledger(FlowControl& flow) : flow_(flow) {}

  void acknowledge(int64_t round_trip, bool marked = false, const PathRecord* path = nullptr) {
    now_ += kMicro / 10;
    acknowledged_ += 1000;
    // A window of eight packets is in flight.
    flow_.acknowledged({now_, round_trip, 1000, acknowledged_, acknowledged_ + 8000, marked, path});
  }
  /// Nine acknowledgements, so that a round trip ends.
  void round_trip(int64_t time, bool marked = false) {
    for (int i = 0; i < 9; ++i) acknowledge(time, marked);
  }
  void wait(int64_t time) { now_ += time; }

 private:
  FlowControl& flow_;
  int64_t now_ = 0;
  int64_t acknowledged_ = 0;
};

}  // namespace fabrictwin::congestion

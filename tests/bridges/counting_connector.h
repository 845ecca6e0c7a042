// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Lets tests and benchmarks see how much travelled.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cosim/run/place_connector.h"

namespace fabrictwin {

/// Keeps the transports' counters of a run in `seen`, which outlives it; its own are gone once the run has ended.
class CountingConnector final : public PlaceConnector {
 public:
  CountingConnector(std::unique_ptr<PlaceConnector> inner, std::vector<TransportCounters>& seen)
      : inner_(std::move(inner)), seen_(seen) {}
  absl::Status connect(const Experiment& experiment, Plan& plan) override { return inner_->connect(experiment, plan); }
  absl::Status attach(RunMemory& memory) override { return inner_->attach(memory); }
  Pump* pump() override { return inner_->pump(); }
  int local_threads() const override { return inner_->local_threads(); }
  absl::Status finish(std::span<LinkCounters> counters, v1::Report& report) override {
    seen_ = inner_->transports();
    return inner_->finish(counters, report);
  }
  void sample(std::span<LinkCounters> counters) override { inner_->sample(counters); }
  std::vector<TransportCounters> transports() const override { return inner_->transports(); }

 private:
  std::unique_ptr<PlaceConnector> inner_;
  std::vector<TransportCounters>& seen_;
};

}  // namespace fabrictwin

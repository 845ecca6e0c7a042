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

/// Keeps the transports' counters of a run in `seen`, which outlives it; its own are gone once the run has ended. Also
/// keeps in `live` and `metrics`, if there are any, what places say of their partitions when they have simulated all,
/// but not ended.
class CountingConnector final : public run::PlaceConnector {
 public:
  CountingConnector(std::unique_ptr<run::PlaceConnector> inner, std::vector<run::TransportCounters>& seen,
                    std::vector<v1::PartitionReport>* live = nullptr, observe::MetricReports* metrics = nullptr)
      : inner_(std::move(inner)), seen_(seen), live_(live), metrics_(metrics) {}
  absl::Status connect(const experiment::Experiment& experiment, system::Plan& plan) override {
    return inner_->connect(experiment, plan);
  }
  absl::Status attach(run::RunMemory& memory) override { return inner_->attach(memory); }
  engine::Pump* pump() override { return inner_->pump(); }
  int local_threads() const override { return inner_->local_threads(); }
  absl::Status finish(std::span<link::LinkCounters> counters, v1::Report& report,
                      std::vector<v1::HostsReport>& hosts) override {
    seen_ = inner_->transports();
    if (live_ != nullptr && metrics_ != nullptr) inner_->sample(counters, *live_, *metrics_);
    return inner_->finish(counters, report, hosts);
  }
  void sample(std::span<link::LinkCounters> counters, std::vector<v1::PartitionReport>& partitions,
              observe::MetricReports& metrics) override {
    inner_->sample(counters, partitions, metrics);
  }
  std::vector<run::TransportCounters> transports() const override { return inner_->transports(); }

 private:
  std::unique_ptr<run::PlaceConnector> inner_;
  std::vector<run::TransportCounters>& seen_;
  std::vector<v1::PartitionReport>* live_;
  observe::MetricReports* metrics_;
};

}  // namespace fabrictwin

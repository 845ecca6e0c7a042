// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Lets tests and benchmarks see how much travelled.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cosim/engine/pump.h"
#include "cosim/run/place_connector.h"

namespace fabrictwin {

/// Keeps the transports' counters of a run in `seen`, which outlives it; its own are gone once the run has ended. Also
/// keeps in `live` and `metrics`, if there are any, what places say of their partitions when they have simulated all,
/// but not ended. `polled`, if it is not empty, is called by the executor whenever it has looked for what comes from
/// other places, so that a test can look at a run that is going on.
class CountingConnector final : public run::PlaceConnector {
 public:
  CountingConnector(std::unique_ptr<run::PlaceConnector> inner, std::vector<run::TransportCounters>& seen,
                    std::vector<v1::PartitionReport>* live = nullptr, observe::MetricReports* metrics = nullptr,
                    std::function<void()> polled = {})
      : inner_(std::move(inner)), seen_(seen), live_(live), metrics_(metrics), polled_(std::move(polled)) {}
  absl::Status connect(const experiment::Experiment& experiment, system::Plan& plan,
                       const std::stop_token& stop) override {
    return inner_->connect(experiment, plan, stop);
  }
  absl::Status attach(run::RunMemory& memory) override { return inner_->attach(memory); }
  engine::Pump* pump() override {
    pump_ = std::make_unique<WatchedPump>(*inner_->pump(), polled_);
    return pump_.get();
  }
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
  void ask_partitions(std::vector<v1::PartitionReport>& partitions) override { inner_->ask_partitions(partitions); }
  std::vector<run::TransportCounters> transports() const override { return inner_->transports(); }

 private:
  class WatchedPump final : public engine::Pump {
   public:
    WatchedPump(engine::Pump& inner, const std::function<void()>& polled) : inner_(inner), polled_(polled) {}
    absl::StatusOr<bool> poll(const engine::Lookahead& lookahead) override {
      absl::StatusOr<bool> moved = inner_.poll(lookahead);
      if (polled_ && moved.ok()) polled_();
      return moved;
    }
    bool waits_in_kernel() const override { return inner_.waits_in_kernel(); }
    void wait(std::chrono::nanoseconds at_most) override { inner_.wait(at_most); }

   private:
    engine::Pump& inner_;
    const std::function<void()>& polled_;
  };

  std::unique_ptr<run::PlaceConnector> inner_;
  std::vector<run::TransportCounters>& seen_;
  std::vector<v1::PartitionReport>* live_;
  observe::MetricReports* metrics_;
  std::function<void()> polled_;
  std::unique_ptr<WatchedPump> pump_;
};

}  // namespace fabrictwin

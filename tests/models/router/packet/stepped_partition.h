// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A partition that is advanced in small steps, whatever the executor asks for.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cosim/engine/partition.h"
#include "cosim/run/reporter.h"

namespace fabrictwin {

/// Stretches of simulated time must not show in a result. Where nothing happens for longer than a step, it goes on to
/// the next event and stops in front of it.
class SteppedPartition final : public engine::Partition, public run::Reporter {
 public:
  SteppedPartition(std::unique_ptr<engine::Partition> inner, Time step) : inner_(std::move(inner)), step_(step) {}

  absl::Status advance(Time until) override {
    while (now_ < until && !inner_->done()) {
      now_ = std::min(until, std::max(now_ + step_, inner_->next_event()));
      if (absl::Status status = inner_->advance(now_); !status.ok()) return status;
    }
    return absl::OkStatus();
  }
  void count_links(Time until) override { inner_->count_links(until); }
  Time next_event() const override { return inner_->next_event(); }
  uint64_t events() const override { return inner_->events(); }
  bool done() const override { return inner_->done(); }
  double workload_done() const override { return inner_->workload_done(); }
  std::vector<std::string> waits() const override { return inner_->waits(); }
  void measure(metric::Sink& sink) const override { inner_->measure(sink); }
  void report(v1::Report& report) const override {
    if (const auto* reporter = dynamic_cast<const run::Reporter*>(inner_.get())) reporter->report(report);
  }

 private:
  std::unique_ptr<engine::Partition> inner_;
  Time step_;
  Time now_;
};

}  // namespace fabrictwin

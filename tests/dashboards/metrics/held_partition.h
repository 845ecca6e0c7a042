// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A partition that holds its run in the middle until somebody has looked at it.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cosim/engine/partition.h"
#include "cosim/run/reporter.h"

namespace fabrictwin {

/// Where a run and who looks at it meet. Thread-safe.
struct Hold {
  std::atomic<bool> reached{false};   ///< Set by the run, which then waits.
  std::atomic<bool> released{false};  ///< Set by who has seen it.
};

/// The executor asks between two stretches whether it is done: there it waits, once, so that it can be looked at.
class HeldPartition final : public engine::Partition, public run::Reporter {
 public:
  /// Waits once it has been advanced to `at`, if its workload is not done then. `hold` outlives it.
  HeldPartition(std::unique_ptr<engine::Partition> inner, Time at, Hold& hold)
      : inner_(std::move(inner)), at_(at), hold_(hold) {}

  absl::Status advance(Time until) override {
    now_ = until;
    return inner_->advance(until);
  }
  void count_links(Time until) override { inner_->count_links(until); }
  Time next_event() const override { return inner_->next_event(); }
  uint64_t events() const override { return inner_->events(); }
  bool done() const override {
    const bool done = inner_->done();
    if (!done && now_ >= at_) {
      hold_.reached.store(true);
      while (!hold_.released.load()) std::this_thread::yield();
    }
    return done;
  }
  double workload_done() const override { return inner_->workload_done(); }
  std::vector<std::string> waits() const override { return inner_->waits(); }
  void measure(metric::Sink& sink) const override { inner_->measure(sink); }
  void report(v1::Report& report) const override {
    if (const auto* reporter = dynamic_cast<const run::Reporter*>(inner_.get())) reporter->report(report);
  }

 private:
  std::unique_ptr<engine::Partition> inner_;
  Time at_;
  Hold& hold_;
  Time now_;
};

}  // namespace fabrictwin

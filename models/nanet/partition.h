// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The models of a system with a card as a partition: senders and computer, the card, or all of them.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/engine/partition.h"
#include "cosim/run/registry.h"
#include "cosim/run/reporter.h"
#include "models/host/workload.h"
#include "models/nanet/part.h"
#include "models/nanet/port.h"
#include "models/nanet/workload.h"

namespace fabrictwin::nanet {

/// At each time, everything that arrives is given to parts in the order of elements and ports; then all of them act in
/// the order of elements. With the computer it stops when that has finished.
class Partition : public engine::Partition, public run::Reporter {
 public:
  using WorkloadFactory = std::function<absl::StatusOr<std::unique_ptr<host::Workload>>(const experiment::Experiment&,
                                                                                        const system::SystemGraph&)>;
  /// Builds the elements of context.plan->partitions[context.partition]. NotFound or InvalidArgument if a capture
  /// cannot be read.
  static absl::StatusOr<std::unique_ptr<engine::Partition>> create(const run::PartitionContext& context,
                                                                   const WorkloadFactory& make_workload);

  absl::Status advance(Time until) override;
  Time next_event() const override;
  uint64_t events() const override { return events_.get(); }
  bool done() const override { return done_.load(std::memory_order_relaxed); }
  double workload_done() const override { return workload_ ? workload_->done() : -1; }
  std::vector<std::string> waits() const override;
  void measure(metric::Sink& sink) const override {
    if (workload_) workload_->measure(sink);
  }
  void report(v1::Report& report) const override {
    if (workload_) workload_->report(report);
  }

 private:
  struct Element {
    system::ElementId id = 0;
    std::unique_ptr<Part> part;
    std::vector<std::unique_ptr<Port>> ports;
  };
  explicit Partition(const run::PartitionContext& context) : context_(context) {}
  absl::Status build(const WorkloadFactory& make_workload);
  Element& element(system::ElementId id);
  void make_ports(Element& element);
  void connect();
  absl::Status make_part(Element& element);
  absl::Status deliver(Time now);
  void sample(Time until);

  run::PartitionContext context_;
  std::unique_ptr<Workload> workload_;
  std::vector<Element> elements_;
  bool started_ = false;
  std::atomic<bool> done_{false};
  link::Counter events_;
};

}  // namespace fabrictwin::nanet

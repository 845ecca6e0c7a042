// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The partition of a system of input-queued routers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/engine/partition.h"
#include "cosim/link/counters.h"
#include "cosim/observe/occupancy_series.h"
#include "cosim/run/registry.h"
#include "cosim/run/reporter.h"
#include "models/host/workload.h"
#include "models/partition/model_partition.h"
#include "models/router/input_queued/network.h"
#include "models/router/input_queued/packet_follower.h"
#include "models/router/input_queued/packet_workload.h"

namespace fabrictwin::partition {

/// All routers and hosts of a system whose routers are input-queued: an input-queued network and a workload of packets.
/// It does not use SystemC and cannot be cut: the planner refuses that.
class InputQueuedPartition : public engine::Partition, public run::Reporter {
 public:
  static absl::StatusOr<std::unique_ptr<engine::Partition>> create(const run::PartitionContext& context,
                                                                   const WorkloadFactory& make_workload);

  absl::Status advance(Time until) override;
  Time next_event() const override;
  uint64_t events() const override { return events_.get(); }
  bool done() const override { return done_; }
  double workload_done() const override { return workload_->done(); }
  std::vector<std::string> waits() const override;
  void measure(metric::Sink& sink) const override;
  void report(v1::Report& report) const override;

 private:
  explicit InputQueuedPartition(const run::PartitionContext& context)
      : context_(context), clock_(context.plan->graph.router_clock) {}
  absl::Status build(const WorkloadFactory& make_workload);
  int64_t next_cycle() const;
  /// Updates the counters with departures before `cycle`.
  void update_counters(int64_t cycle);
  void sample_occupancy(Time until);
  observe::BufferFill buffer_fill() const;

  run::PartitionContext context_;
  Clock clock_;
  std::unique_ptr<host::Workload> workload_;
  router::input_queued::PacketWorkload* packets_ = nullptr;  ///< The packet interface of `workload_`.
  std::unique_ptr<router::input_queued::PacketFollower> follower_;
  std::unique_ptr<router::input_queued::Network> network_;
  std::vector<router::input_queued::End> sources_;  ///< By channel.
  int64_t cycle_ = 0;                               ///< Everything before this cycle has been simulated.
  observe::OccupancySeries occupancy_{Time::zero(), 0, 0};
  int64_t sample_cycle_ = router::input_queued::Traffic::kNever;  ///< The cycle of the next sample of occupancy_.
  bool done_ = false;
  link::Counter events_;
};

}  // namespace fabrictwin::partition

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
#include "cosim/run/counters.h"
#include "cosim/run/occupancy_series.h"
#include "cosim/run/registry.h"
#include "models/iq_network.h"
#include "models/iq_packet_follower.h"
#include "models/model_partition.h"
#include "models/packet_workload.h"
#include "models/workload.h"

namespace fabrictwin {

/// All routers and hosts of a system whose routers are input-queued: an IqNetwork and a workload of packets. It has no
/// SystemC in it and cannot be cut: the planner refuses that.
class IqPartition : public Partition {
 public:
  static absl::StatusOr<std::unique_ptr<Partition>> create(const PartitionContext& context,
                                                           const WorkloadFactory& make_workload);

  absl::Status advance(Time until) override;
  Time next_event() const override;
  uint64_t events() const override { return events_.get(); }
  bool done() const override { return done_; }
  double workload_done() const override { return workload_->done(); }
  std::vector<std::string> waits() const override;
  void measure(v1::Report& report) const override;
  void report(v1::Report& report) const override;

 private:
  explicit IqPartition(const PartitionContext& context) : context_(context), clock_(context.plan->graph.router_clock) {}
  absl::Status build(const WorkloadFactory& make_workload);
  int64_t next_cycle() const;
  /// With what has started on links before `cycle`.
  void update_counters(int64_t cycle);
  void sample_occupancy(Time until);
  BufferFill buffer_fill() const;
  void scale_loads(v1::TrafficReport& traffic) const;

  PartitionContext context_;
  Clock clock_;
  std::unique_ptr<Workload> workload_;
  PacketWorkload* packets_ = nullptr;  ///< The same.
  std::unique_ptr<IqPacketFollower> follower_;
  std::unique_ptr<IqNetwork> network_;
  std::vector<IqEnd> sources_;  ///< By channel.
  int64_t cycle_ = 0;           ///< Before which everything has been simulated.
  OccupancySeries occupancy_{Time::zero(), 0, 0};
  int64_t sample_cycle_ = IqTraffic::kNever;  ///< Before this cycle, occupancy_ wants to look.
  bool done_ = false;
  Counter events_;
};

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The partition of a system of packet-level routers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/engine/partition.h"
#include "cosim/run/counters.h"
#include "cosim/run/registry.h"
#include "models/model_partition.h"
#include "models/packet/packet_hosts.h"
#include "models/packet/sharded_network.h"
#include "models/workload.h"

namespace fabrictwin {

/// All routers and hosts of a system whose routers are of the model PACKET: a PacketNetwork, and the workload's
/// processes on its hosts. It has no SystemC in it and cannot be cut: the planner refuses that. It stands still from
/// the moment at which the last process has finished.
class PacketPartition : public Partition {
 public:
  static absl::StatusOr<std::unique_ptr<Partition>> create(const PartitionContext& context,
                                                           const WorkloadFactory& make_workload);

  absl::Status advance(Time until) override;
  Time next_event() const override;
  /// Packets times links that they went over.
  uint64_t events() const override { return events_.get(); }
  bool done() const override { return done_; }
  double workload_done() const override { return workload_->done(); }
  std::vector<std::string> waits() const override;
  void measure(v1::Report& report) const override { workload_->measure(report); }
  void report(v1::Report& report) const override;

 private:
  explicit PacketPartition(const PartitionContext& context) : context_(context) {}
  absl::Status build(const WorkloadFactory& make_workload);
  absl::Status make_processes();
  bool finished() const;
  bool failed() const;
  absl::Status check() const;
  void update_counters() const;

  PartitionContext context_;
  std::unique_ptr<Workload> workload_;
  std::vector<std::unique_ptr<PacketHosts>> hosts_;  ///< By shard.
  std::vector<uint8_t> shard_of_;                    ///< By element.
  std::unique_ptr<ShardedNetwork> network_;
  bool started_ = false;
  bool done_ = false;
  uint64_t counted_at_ = 0;  ///< Packet hops when the counters were brought up to date.
  Counter events_;
};

}  // namespace fabrictwin

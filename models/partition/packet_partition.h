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
#include "cosim/link/counters.h"
#include "cosim/run/registry.h"
#include "cosim/run/reporter.h"
#include "models/host/workload.h"
#include "models/partition/model_partition.h"
#include "models/router/packet/hosts.h"
#include "models/router/packet/sharded_network.h"

namespace fabrictwin::partition {

/// All routers and hosts of a system whose routers are of the model PACKET: a packet network, and the workload's
/// processes on its hosts. It does not use SystemC and cannot be cut: the planner refuses that. It stops when the last
/// process has finished.
class PacketPartition : public engine::Partition, public run::Reporter {
 public:
  static absl::StatusOr<std::unique_ptr<engine::Partition>> create(const run::PartitionContext& context,
                                                                   const WorkloadFactory& make_workload);

  absl::Status advance(Time until) override;
  Time next_event() const override;
  /// Sum over packets of the links that they crossed.
  uint64_t events() const override { return events_.get(); }
  bool done() const override { return done_; }
  double workload_done() const override { return workload_->done(); }
  std::vector<std::string> waits() const override;
  void measure(metric::Sink& sink) const override;
  void report(v1::Report& report) const override;

 private:
  explicit PacketPartition(const run::PartitionContext& context) : context_(context) {}
  absl::Status build(const WorkloadFactory& make_workload);
  absl::Status make_processes();
  bool finished() const;
  bool failed() const;
  absl::Status check() const;
  void update_counters() const;

  run::PartitionContext context_;
  std::unique_ptr<host::Workload> workload_;
  std::vector<std::unique_ptr<router::packet::Hosts>> hosts_;  ///< By shard.
  std::vector<uint8_t> shard_of_;                              ///< By element.
  std::unique_ptr<router::packet::ShardedNetwork> network_;
  bool started_ = false;
  bool done_ = false;
  uint64_t counted_at_ = 0;  ///< Packet hops at the last update of the counters.
  link::Counter events_;
};

}  // namespace fabrictwin::partition

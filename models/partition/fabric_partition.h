// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The partition of a system of input-queued or packet-level routers.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/engine/partition.h"
#include "cosim/link/counters.h"
#include "cosim/observe/occupancy_series.h"
#include "cosim/run/registry.h"
#include "cosim/run/reporter.h"
#include "models/fabric/fabric.h"
#include "models/fabric/hosts.h"
#include "models/fabric/transport_hosts.h"
#include "models/host/workload.h"
#include "models/nic/queue_nic.h"
#include "models/partition/model_partition.h"
#include "models/partition/packet_statistics.h"
#include "models/partition/statistics/congestion_report.h"
#include "models/partition/statistics/input_queue_report.h"
#include "models/partition/statistics/network_series.h"
#include "models/router/input_queued/fabric.h"
#include "models/router/packet/sharded/sharded_network.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::partition {

/// All routers and hosts of a system whose routers are of the models INPUT_QUEUED or PACKET: a fabric, and the
/// workload's processes behind the network interfaces of its hosts, or a workload of bare packets. It does not use
/// SystemC. It stops when the workload has finished. Routers and their hosts may be apart: in several
/// partitions, of which each goes on for the others when its own hosts have finished.
class FabricPartition : public engine::Partition, public run::Reporter {
 public:
  static absl::StatusOr<std::unique_ptr<engine::Partition>> create(const run::PartitionContext& context,
                                                                   const WorkloadFactory& make_workload);

  absl::Status advance(Time until) override;
  Time reached(Time /*until*/) const override { return reached_; }
  engine::Foreground foreground() const override;
  Time next_event() const override;
  uint64_t events() const override { return events_.get(); }
  bool done() const override { return done_.load(std::memory_order_relaxed); }
  double workload_done() const override { return workload_->done(); }
  std::vector<std::string> waits() const override;
  void count_links(Time until) override { fabric_->update_counters(until, context_.link_counters); }
  void measure(metric::Sink& sink) const override;
  void report(v1::Report& report) const override;
  void report_part(google::protobuf::RepeatedPtrField<v1::WorkloadPart>& parts) const override;

 private:
  explicit FabricPartition(const run::PartitionContext& context);
  absl::Status build(const WorkloadFactory& make_workload);
  absl::Status build_input_queued();
  absl::Status build_packet();
  absl::StatusOr<std::shared_ptr<const routing::RoutingAlgorithm>> make_routing(int32_t vcs) const;
  /// Whether elements of the system are in other partitions, and whether one is here.
  bool apart() const;
  bool is_here(system::ElementId element) const {
    return context_.plan->partition_of[static_cast<size_t>(element)] == context_.partition;
  }
  /// Packets that have come from links of words, but not all of their words.
  size_t packets_coming() const;
  /// Joins the fabric and its hosts to those of other partitions.
  void join_others();
  /// Makes the hosts of each shard; `ports` are the ports of each host, `pipeline` the latency of a router.
  void make_hosts(int32_t shards, std::span<const int32_t> ports, Time pipeline);
  absl::Status make_processes();
  bool plain() const { return !context_.experiment->host.nic_spec.has_value(); }
  fabric::TransportHosts::Config transport();
  bool samples_buffers() const;
  bool finished() const;
  /// In a run whose partitions end together: whether all that the run waits for here has just ended.
  bool foreground_ends() const { return together_ && !foreground_over_ && fabric_->stopped(); }
  Time end_foreground(Time until);
  /// Lets the fabric end when its hosts have finished.
  void end_with_hosts();
  bool failed() const;
  absl::Status check() const;
  void start();
  void update_counters(Time until);
  /// Takes the samples of metrics up to and including `until`, before which nothing happens.
  void sample_metrics(Time until);
  Time next_sample() const;
  void warn_about_ports(v1::Report& report) const;
  /// One without points. Of routers of another depth than the experiment's it has no queues.
  statistics::NetworkSeries series(bool pausing) const;
  void follow_queues(const router::input_queued::Network& network);

  run::PartitionContext context_;
  const experiment::Experiment* whole_;  ///< The experiment as it was read.
  /// In a system whose other routers move words: the experiment as it looks from here. Otherwise null.
  std::unique_ptr<const experiment::Experiment> coarse_;
  std::unique_ptr<host::Workload> workload_;
  router::input_queued::NetworkFabric* flits_ = nullptr;  ///< The fabric, if its routers are of the model INPUT_QUEUED:
  router::input_queued::BareFabric* bare_ = nullptr;      ///< this one, if the workload is one of bare packets,
  router::input_queued::HostedFabric* hosted_ = nullptr;  ///< otherwise this one.
  nic::QueueNic::Costs costs_;
  std::vector<std::unique_ptr<fabric::Hosts>> hosts_;  ///< By shard; empty with bare packets.
  std::vector<uint8_t> shard_of_;                      ///< By element.
  std::unique_ptr<fabric::PacketFabric> fabric_;
  std::vector<fabric::TransportHosts*> transports_;  ///< Those of `hosts_`, by shard, if they have a transport.
  std::vector<fabric::FlowSigns> flow_signs_;        ///< By flow, if hosts have a transport.
  router::packet::sharded::ShardedNetwork* packets_ = nullptr;  ///< The fabric, if its routers are of the model PACKET.
  std::unique_ptr<statistics::CongestionReport> congestion_;    ///< Null unless the routers are of the model PACKET.
  std::unique_ptr<statistics::InputQueueReport> input_queues_;  ///< Null unless INPUT_QUEUED.
  std::unique_ptr<PacketStatistics> statistics_;                ///< Null if none are asked for.
  observe::OccupancySeries occupancy_{Time::zero(), 0, 0};
  bool together_ = false;         ///< All partitions come to the end and no further (Plan::ends_together).
  bool foreground_over_ = false;  ///< Only with together_,
  Time foreground_end_;           ///< and then this is its end.
  bool started_ = false;
  std::atomic<bool> done_{false};  ///< Read by other threads.
  Time reached_;                   ///< Everything before this has been simulated, unless it is done.
  uint64_t counted_at_ = 0;        ///< Events at the last update of the counters.
  link::Counter events_;
};

}  // namespace fabrictwin::partition

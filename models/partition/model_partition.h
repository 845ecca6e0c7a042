// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// All model elements of one place as a partition: the fabric, the network interfaces, the workload's endpoints and
// the cut links.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/engine/partition.h"
#include "cosim/observe/occupancy_series.h"
#include "cosim/run/registry.h"
#include "cosim/run/reporter.h"
#include "models/host/host_factory.h"
#include "models/host/host_interface.h"
#include "models/host/message_latencies.h"
#include "models/host/workload.h"
#include "models/kernel/cut_link.h"
#include "models/kernel/faulty_link.h"
#include "models/kernel/systemc_context.h"
#include "models/nic/exanet/node_timing.h"
#include "models/nic/exanet/port.h"
#include "models/nic/queue_nic.h"
#include "models/nic/words/link_interface.h"
#include "models/partition/statistics/network_series.h"
#include "models/partition/word_fabric.h"
#include "models/router/exanet/fabric.h"
#include "models/router/packet/tables.h"

namespace fabrictwin::partition {

/// Makes the workload of an experiment; it is injected because models do not know workloads.
using WorkloadFactory = std::function<absl::StatusOr<std::unique_ptr<host::Workload>>(const experiment::Experiment&,
                                                                                      const system::SystemGraph&)>;

/// Interleaves the fabric's timing wheel with the SystemC kernel: at each time first the routers, then the kernel's
/// processes. If it holds the hosts, it stops when the last of them has finished, so that nothing after the end of the
/// workload counts, however far it is told to advance; if other partitions have hosts, too, it goes on for them.
class ModelPartition : public engine::Partition, public run::Reporter {
 public:
  /// Builds the elements of context.plan->partitions[context.partition]. If hosts are among them, calls `make_workload`
  /// once and `make_host`, if not null, for each host.
  static absl::StatusOr<std::unique_ptr<engine::Partition>> create(const run::PartitionContext& context,
                                                                   const WorkloadFactory& make_workload,
                                                                   host::HostFactory make_host = nullptr);
  ~ModelPartition() override;

  absl::Status advance(Time until) override;
  Time reached(Time /*until*/) const override { return reached_; }
  engine::Foreground foreground() const override;
  Time next_event() const override;
  uint64_t events() const override { return fabric_->events() + packet_events() + kernel_events_.get(); }
  bool done() const override { return done_ || (apart_ && endpoints_.empty()); }
  double workload_done() const override { return workload_ ? workload_->done() : -1; }
  std::vector<std::string> waits() const override;
  void count_links(Time /*until*/) override {
    if (packets_) packets_->update_counters(context_.link_counters);
  }
  void measure(metric::Sink& sink) const override;
  void report(v1::Report& report) const override;
  void report_part(google::protobuf::RepeatedPtrField<v1::WorkloadPart>& parts) const override;

 private:
  explicit ModelPartition(const run::PartitionContext& context) : context_(context) {}
  absl::Status build(const WorkloadFactory& make_workload);
  absl::Status build_hosts(const WorkloadFactory& make_workload);
  std::unique_ptr<host::HostInterface> make_interface(const system::Element& host);
  std::unique_ptr<host::HostInterface> make_usual_interface(const system::Element& host);
  std::unique_ptr<host::HostInterface> make_queue_interface(const system::Element& host,
                                                            nic::words::LinkInterface::Config config);
  /// Finds the depths of routers here, and makes those of words.
  void build_routers();
  /// Makes those that are packets.
  absl::Status build_packets();
  router::packet::NetworkConfig packet_config() const;
  system::Link link_of(int32_t channel) const;
  router::exanet::Fabric::RouterDescription describe(const system::Element& element) const;
  /// Adds the port from which a channel leaves, but not what is at its other end.
  void describe_port(int32_t channel, router::exanet::Fabric::RouterDescription& router) const;
  void bind_links();
  /// Whether a link between two routers of words here has faults.
  bool has_faults(int32_t channel) const;
  /// Binds both ends of each such link to what makes its faults.
  void bind_faulty_links();
  /// Binds routers of words to those that are packets.
  void bind_depths();
  host::ControlCounters control() const;
  Time kernel_next() const;
  Time routers_next() const;
  bool packets_failed() const { return packets_ && packets_->failed(); }
  uint64_t packet_events() const { return packets_ ? packets_->events() : 0; }
  void run_kernel(Time time);
  absl::Status check() const;
  bool all_finished();
  /// Looks whether the endpoints here have finished at `now`. Returns a time before which the partition has to stop
  /// then, if that is before `until`, in a run whose partitions end together.
  Time look_at_end(Time now, Time until);
  /// Takes the samples of buffers, links and metrics up to and including `until`, before which nothing happens.
  void sample(Time until);
  statistics::NetworkPoint hosts_now() const;

  run::PartitionContext context_;
  host::HostFactory make_host_;
  std::unique_ptr<kernel::SystemcContext> systemc_;
  std::unique_ptr<host::Workload> workload_;
  std::unique_ptr<host::MessageLatencies> latencies_;  ///< Null if latencies are not measured.
  /// By element: what it is here.
  enum class Depth : uint8_t { kNone, kWords, kPackets };
  std::vector<Depth> depth_;
  std::unique_ptr<router::exanet::Fabric> fabric_;
  std::unique_ptr<const system::SystemGraph> router_graph_;  ///< For `packets_`: hosts are routers, too.
  std::unique_ptr<WordFabric> packets_;                      ///< Null if no router here is packets.
  std::vector<std::unique_ptr<host::HostInterface>> interfaces_;
  std::vector<int32_t> interface_of_;     ///< By element: the index of a host's interface.
  nic::exanet::NodeTiming timing_;        ///< Timing of modelled ExaNeSt nodes.
  std::vector<nic::exanet::Node> nodes_;  ///< Addresses of all nodes, by host.
  /// Costs of network interfaces that are TOFU or RDMA, by number of ports. They outlive the interfaces.
  std::map<int32_t, nic::QueueNic::Costs> nic_costs_;
  std::vector<std::unique_ptr<host::Endpoint>> endpoints_;
  std::vector<std::unique_ptr<kernel::CutLink>> cut_links_;
  std::vector<std::unique_ptr<kernel::FaultyLink>> faulty_links_;
  std::vector<int32_t> fabric_ports_;  ///< By channel that leaves a fabric: its external port, or -1.
  bool apart_ = false;                 ///< Hosts are in several partitions, or in other processes,
  bool together_ = false;              ///< and all partitions come to the end and no further (Plan::ends_together).
  bool foreground_over_ = false;       ///< Only with together_,
  Time foreground_end_;                ///< and then this is its end.
  bool started_ = false;
  bool done_ = false;
  size_t finished_ = 0;  ///< Endpoints before this one have finished.
  std::string failure_;  ///< First failure of a network interface or endpoint.
  Time last_time_;       ///< The end of simulated time.
  Time stood_;           ///< Kernel time at which it stopped.
  Time reached_;         ///< Everything before this has been simulated, unless it is done.
  observe::OccupancySeries occupancy_{Time::zero(), 0, 0};
  /// Of hosts here; routers of words, which may be RTL, are not looked into.
  statistics::NetworkSeries series_{experiment::StatisticsSpec(), {.queues = false}};
  link::Counter kernel_events_;
};

}  // namespace fabrictwin::partition

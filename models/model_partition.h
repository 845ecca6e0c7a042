// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// All model elements of one place as one partition: the fabric, the network interfaces, the workload's endpoints and
// the cut links.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/engine/partition.h"
#include "cosim/run/occupancy_series.h"
#include "cosim/run/registry.h"
#include "models/cut_link.h"
#include "models/fabric.h"
#include "models/host_factory.h"
#include "models/host_interface.h"
#include "models/message_latencies.h"
#include "models/ni_port.h"
#include "models/node_timing.h"
#include "models/systemc_context.h"
#include "models/workload.h"

namespace fabrictwin {

/// Makes the workload of an experiment; workloads::make_workload, injected because models know no workload.
using WorkloadFactory = std::function<absl::StatusOr<std::unique_ptr<Workload>>(const Experiment&, const SystemGraph&)>;

/// Interleaves the fabric's timing wheel with the SystemC kernel: at each time first the routers, then the kernel's
/// processes. If it holds the hosts, it stands still from the moment at which the last of them has finished, so that
/// nothing after the end of the workload counts, however far it was asked to advance.
class ModelPartition : public Partition {
 public:
  /// Builds the elements of context.plan->partitions[context.partition]. `make_workload` is called if hosts are among
  /// them, and `make_host`, if there is one, for each of those.
  static absl::StatusOr<std::unique_ptr<Partition>> create(const PartitionContext& context,
                                                           const WorkloadFactory& make_workload,
                                                           HostFactory make_host = nullptr);
  ~ModelPartition() override;

  absl::Status advance(Time until) override;
  Time next_event() const override;
  uint64_t events() const override { return fabric_->events() + kernel_events_.get(); }
  bool done() const override { return done_; }
  double workload_done() const override { return workload_ ? workload_->done() : -1; }
  std::vector<std::string> waits() const override;
  void measure(v1::Report& report) const override;
  void report(v1::Report& report) const override;

 private:
  explicit ModelPartition(const PartitionContext& context) : context_(context) {}
  absl::Status build(const WorkloadFactory& make_workload);
  absl::Status build_hosts(const WorkloadFactory& make_workload);
  std::unique_ptr<HostInterface> make_interface(const Element& host);
  std::unique_ptr<HostInterface> make_usual_interface(const Element& host);
  void build_fabric();
  void bind_links();
  void sample_occupancy(Time until);
  BufferFill buffer_fill() const;
  Time kernel_next() const;
  void run_kernel(Time time);
  absl::Status check() const;
  bool all_finished();

  PartitionContext context_;
  HostFactory make_host_;
  std::unique_ptr<SystemcContext> systemc_;
  std::unique_ptr<Workload> workload_;
  std::unique_ptr<MessageLatencies> latencies_;  ///< Null: nobody wants to know.
  std::unique_ptr<Fabric> fabric_;
  std::vector<std::unique_ptr<HostInterface>> interfaces_;
  std::vector<int32_t> interface_of_;  ///< By element: the interface of a host.
  NodeTiming timing_;                  ///< Of modelled ExaNeSt nodes.
  std::vector<NiNode> nodes_;          ///< Addresses of all nodes, by host.
  std::vector<std::unique_ptr<Endpoint>> endpoints_;
  std::vector<std::unique_ptr<CutLink>> cut_links_;
  std::vector<int32_t>
      fabric_ports_;  ///< By channel that leaves a router of the fabric for elsewhere: its external port, or -1.
  bool started_ = false;
  bool done_ = false;
  size_t finished_ = 0;  ///< Endpoints before this one have finished.
  std::string failure_;  ///< Of a network interface or endpoint.
  Time stood_;           ///< Kernel time.
  OccupancySeries occupancy_{Time::zero(), 0, 0};
  Counter kernel_events_;
};

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The partitions of one place, built and wired, in `fabrictwin run` and in a worker.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/engine/executor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/observe/metric_report.h"
#include "cosim/run/registry.h"
#include "cosim/run/run_memory.h"
#include "cosim/system/plan.h"
#include "fabrictwin/v1/hosts_report.pb.h"

namespace fabrictwin::run {

class LinkSampler;

/// Owns the partitions of a place with their channel ends and counters. Not thread-safe, except that the counters
/// may be read at any time.
class PlaceRuntime {
 public:
  /// Builds every partition of `place` with the factories of `registry`, joined to the rings in `memory`, which the
  /// places in `sharing` use (by place, with `place` itself). Arguments but that must outlive the runtime. Partitions
  /// that support threads may use `threads` of them. In a system of several partitions, each records messages and
  /// packets for itself, for report_records(), if `observers` or the experiment want it. Errors: a part that this
  /// process cannot build (Unimplemented, names it), and those of the factories.
  static absl::StatusOr<std::unique_ptr<PlaceRuntime>> create(const experiment::Experiment& experiment,
                                                              const system::Plan& plan, int32_t place,
                                                              const Registry& registry, RunMemory& memory,
                                                              const std::vector<bool>& sharing,
                                                              std::vector<WaveRequest> waves,
                                                              const Observers& observers = {}, int32_t threads = 1);
  ~PlaceRuntime();

  /// The partitions as an executor takes them.
  const std::vector<engine::LocalPartition>& local_partitions() const { return local_; }
  /// Counters by channel (2 * link + direction); zero for channels of other places.
  std::span<const link::LinkCounters> link_counters() const { return counters_; }
  std::span<link::LinkCounters> mutable_link_counters() { return counters_; }
  std::span<observe::EndpointDigest> digests() { return digests_; }
  /// Calls Partition::close_files() of all partitions and returns the first error.
  absl::Status close_files();
  /// Fills in report.partitions for this place from the partitions and `executor`.
  void report_partitions(const engine::Executor& executor, double wall_seconds, v1::Report& report) const;
  /// What partitions have measured so far; nullopt if one of a model could not be looked at soon. Call it from one
  /// thread at a time, which must not be one of the executor's.
  std::optional<observe::MetricReports> look(engine::Executor& executor) const;
  /// Adds what all partitions have measured, for report.metrics or `whole` for another process. Call it while no
  /// partition advances.
  void measure(bool whole, observe::MetricReports& metrics) const;
  /// Whether all partitions of this place are done.
  bool done() const;
  /// Adds what the partitions of this place report, and their parts of a workload that is measured as a whole. Call
  /// them while no partition advances.
  void report(v1::Report& report) const;
  void report_parts(google::protobuf::RepeatedPtrField<v1::WorkloadPart>& parts) const;
  /// Adds the loads of the links that begin at this place, if they are sampled.
  void report_links(google::protobuf::RepeatedPtrField<v1::LinkSeriesPart>& parts) const;
  /// Adds the messages and packets that its partitions have recorded, each for itself.
  void report_records(v1::HostsReport& report) const;
  /// Whether there is something for report_hosts(): the place has hosts, or its links or packets are followed.
  bool has_report() const;
  /// What the hosts and links of this place have done. Call it while no partition advances.
  void report_hosts(v1::HostsReport& report) const;

 private:
  PlaceRuntime(const experiment::Experiment& experiment, const system::Plan& plan, int32_t place);

  /// The observers of one partition of models: those of the run if it is the only one.
  Observers observe(const experiment::Experiment& experiment, int32_t partition, const Observers& of_run);
  /// Whether metrics over simulated time are those of this partition, if they are wanted.
  bool is_sampled(int32_t partition) const;

  /// Lets faults befall what a port of a partition sends and receives.
  void bind_faults(const CutPort& port);

  const system::Plan& plan_;
  int32_t place_;
  WordFaultSet faults_;
  std::vector<std::unique_ptr<observe::PacketTrace>> packet_traces_;  ///< They and logs outlive partitions.
  std::vector<std::unique_ptr<observe::MessageLog>> message_logs_;
  std::vector<std::unique_ptr<link::ChannelSender>> senders_;
  std::vector<std::unique_ptr<link::ChannelReceiver>> receivers_;
  std::vector<std::unique_ptr<engine::Partition>> partitions_;
  std::vector<std::unique_ptr<LinkSampler>> samplers_;  ///< One for each partition if loads of links are sampled.
  std::vector<engine::LocalPartition> local_;
  std::vector<link::LinkCounters> counters_;
  std::vector<observe::EndpointDigest> digests_;
};

}  // namespace fabrictwin::run

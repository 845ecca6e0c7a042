// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The partitions of one place, built and wired: what `fabrictwin run` and a worker have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/engine/executor.h"
#include "cosim/run/experiment.h"
#include "cosim/run/plan.h"
#include "cosim/run/registry.h"
#include "cosim/run/run_memory.h"

namespace fabrictwin {

/// Owns the partitions of a place with their channel ends and counters. Not thread-safe; the counters may be read at
/// any time.
class PlaceRuntime {
 public:
  /// Builds every partition of `place` with the factories of `registry`, joined to the rings in `memory`. Arguments
  /// outlive the runtime; `packet_trace` and `messages` may be null. A partition that can may use `threads` threads.
  /// Errors: a part that this process cannot build (Unimplemented, names it), and whatever the factories say.
  static absl::StatusOr<std::unique_ptr<PlaceRuntime>> create(const Experiment& experiment, const Plan& plan,
                                                              int32_t place, const Registry& registry,
                                                              RunMemory& memory, std::vector<WaveRequest> waves,
                                                              PacketTrace* packet_trace = nullptr,
                                                              MessageLog* messages = nullptr, int32_t threads = 1);
  ~PlaceRuntime();

  /// What an executor takes.
  const std::vector<LocalPartition>& local_partitions() const { return local_; }
  /// By channel (2 * link + direction); zero for channels of other places.
  std::span<const LinkCounters> link_counters() const { return counters_; }
  std::span<LinkCounters> mutable_link_counters() { return counters_; }
  std::span<const EndpointDigest> digests() const { return digests_; }
  /// Fills in report.partitions (those of this place), as far as partitions and `executor` know.
  void report_partitions(const Executor& executor, double wall_seconds, v1::Report& report) const;

 private:
  PlaceRuntime(const Plan& plan, int32_t place);

  const Plan& plan_;
  int32_t place_;
  std::vector<std::unique_ptr<ChannelSender>> senders_;
  std::vector<std::unique_ptr<ChannelReceiver>> receivers_;
  std::vector<std::unique_ptr<Partition>> partitions_;
  std::vector<LocalPartition> local_;
  std::vector<LinkCounters> counters_;
  std::vector<EndpointDigest> digests_;
};

}  // namespace fabrictwin

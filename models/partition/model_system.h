// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The model of a whole network for use in the user's own program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/engine/partition.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/plan.h"
#include "models/host/host_factory.h"
#include "models/partition/model_partition.h"

namespace fabrictwin::partition {

/// Routers and links of an experiment's topology as models, with hosts of the caller: for programs that use the network
/// without the command line, as docs/examples/tlm-host does. A process has one at a time, and no other SystemC
/// simulation. Not thread-safe.
class ModelSystem {
 public:
  /// Uses topology, router, host and seed of `experiment`; all elements are models. `make_host` makes the hosts; those
  /// for which it returns nullptr get the default network interface with an endpoint of the workload, or none.
  /// InvalidArgument for an impossible topology, and for router models other than EXANET.
  static absl::StatusOr<std::unique_ptr<ModelSystem>> create(const experiment::Experiment& experiment,
                                                             host::HostFactory make_host,
                                                             const WorkloadFactory& make_workload = nullptr);
  ~ModelSystem();

  const system::SystemGraph& graph() const { return plan_.graph; }
  /// Simulates up to, not including, `until`, which never decreases. An error names element and simulated time.
  absl::Status run(Time until);
  /// When something happens next; never() if nothing does.
  Time next_event() const { return partition_->next_event(); }
  /// What each channel (SystemGraph::channel_name()) has carried so far.
  const link::LinkCounters& counters(int32_t channel) const { return counters_[static_cast<size_t>(channel)]; }
  /// Digest of what the hosts have received, as in the report of a run.
  std::string timing_digest() const { return observe::combine_timing(digests_); }

 private:
  explicit ModelSystem(experiment::Experiment experiment) : experiment_(std::move(experiment)) {}

  experiment::Experiment experiment_;
  system::Plan plan_;
  std::vector<link::LinkCounters> counters_;
  std::vector<observe::EndpointDigest> digests_;
  std::unique_ptr<engine::Partition> partition_;
};

}  // namespace fabrictwin::partition

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The model of a whole network in a program of one's own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/engine/partition.h"
#include "cosim/run/experiment.h"
#include "cosim/run/plan.h"
#include "models/host_factory.h"
#include "models/model_partition.h"

namespace fabrictwin {

/// Routers and links of an experiment's topology as models, with hosts of the caller's: for programs that want the
/// network without the command line. docs/examples/tlm-host is one. A process has one at a time, and no other SystemC
/// simulation. Not thread-safe.
class ModelSystem {
 public:
  /// Of `experiment`, topology, router, host and seed count; all elements are models. `make_host` makes what hangs on
  /// the network, and hosts for which it gives nullptr get the usual network interface with an endpoint of the
  /// workload, or none. InvalidArgument for an impossible topology, and for routers of another model than EXANET.
  static absl::StatusOr<std::unique_ptr<ModelSystem>> create(const Experiment& experiment, HostFactory make_host,
                                                             const WorkloadFactory& make_workload = nullptr);
  ~ModelSystem();

  const SystemGraph& graph() const { return plan_.graph; }
  /// Simulates up to, not including, `until`, which never decreases. An error names element and simulated time.
  absl::Status run(Time until);
  /// When something happens next; never() if nothing will.
  Time next_event() const { return partition_->next_event(); }
  /// What each channel (SystemGraph::channel_name()) has carried so far.
  const LinkCounters& counters(int32_t channel) const { return counters_[static_cast<size_t>(channel)]; }
  /// Of what the hosts have received, as in the report of a run.
  std::string timing_digest() const { return combine_timing(digests_); }

 private:
  explicit ModelSystem(Experiment experiment) : experiment_(std::move(experiment)) {}

  Experiment experiment_;
  Plan plan_;
  std::vector<LinkCounters> counters_;
  std::vector<EndpointDigest> digests_;
  std::unique_ptr<Partition> partition_;
};

}  // namespace fabrictwin

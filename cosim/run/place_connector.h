// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How a run reaches the places outside its own process; implemented by bridges/.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cosim/engine/pump.h"
#include "cosim/link/doorbell.h"
#include "cosim/run/counters.h"
#include "cosim/run/experiment.h"
#include "cosim/run/plan.h"
#include "cosim/run/registry.h"
#include "cosim/run/run_memory.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin {

/// Records that travelled each way, by transport; for metrics.
struct TransportCounters {
  std::string transport;  ///< "shm", "unix", "tcp", "board".
  uint64_t records = 0;
  uint64_t messages = 0;
  uint64_t bytes = 0;
};

/// All remote places of one run. Destroying it ends what it started. Calls come from one thread unless said otherwise.
class PlaceConnector {
 public:
  virtual ~PlaceConnector() = default;

  /// Starts or joins every place of the plan but place 0: hello, describe, configure. Before the run's memory exists.
  /// Errors name the place. `plan` may be changed in one way: a listening worker on this host with which shared memory
  /// works gets Transport::kShm.
  virtual absl::Status connect(const Experiment& experiment, Plan& plan) = 0;

  /// Hands over the memory of the run (create_shared() if any place has Transport::kShm) and lets every place build its
  /// partitions.
  virtual absl::Status attach(RunMemory& memory) = 0;

  /// What the executor polls; nullptr if there is no remote place. Also notices peers that die, shared memory or not.
  virtual Pump* pump() = 0;

  /// Threads of places on this host that share its cores.
  virtual int local_threads() const = 0;

  /// Ends the run at every place and collects what each measured: link counters (by channel, into `counters`) and
  /// report.partitions. Also after a failure: what cannot be had is left out and the error says whose.
  virtual absl::Status finish(std::span<LinkCounters> counters, v1::Report& report) = 0;

  /// Asks every place for its link counters while the run goes on (metrics). Thread-safe.
  virtual void sample(std::span<LinkCounters> counters) = 0;
  virtual std::vector<TransportCounters> transports() const = 0;
};

struct ConnectorOptions {
  std::string executable;  ///< The fabrictwin binary, from which local workers and soft boards are started.
  std::vector<WaveRequest> waves;
};

using ConnectorFactory = std::function<std::unique_ptr<PlaceConnector>(const ConnectorOptions&)>;

}  // namespace fabrictwin

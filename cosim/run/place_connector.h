// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How a run reaches the places outside its own process; implemented by bridges/.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cosim/base/connection_security.h"
#include "cosim/engine/pump.h"
#include "cosim/experiment/experiment.h"
#include "cosim/link/counters.h"
#include "cosim/link/doorbell.h"
#include "cosim/observe/metric_report.h"
#include "cosim/run/registry.h"
#include "cosim/run/run_memory.h"
#include "cosim/system/plan.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::run {

/// The traffic of one transport in both directions, for metrics.
struct TransportCounters {
  std::string transport;  ///< "shm", "unix", "tcp", "mpi", "board".
  uint64_t records = 0;
  uint64_t messages = 0;
  uint64_t bytes = 0;
};

/// All remote places of one run. Destroying it ends the processes that it started. Calls come from one thread unless
/// noted.
class PlaceConnector {
 public:
  virtual ~PlaceConnector() = default;

  /// Starts or joins every place of the plan but place 0: hello, describe, configure. Called before the run's
  /// memory exists. Errors name the place. `plan` may be changed in one way: a listening worker or rank of MPI on this
  /// host that can share memory gets Transport::kShm. Cancelled if `stop` is requested while a process starts.
  virtual absl::Status connect(const experiment::Experiment& experiment, system::Plan& plan,
                               const std::stop_token& stop) = 0;

  /// Hands over the memory of the run (create_shared() if any place has Transport::kShm) and lets every place
  /// build its partitions.
  virtual absl::Status attach(RunMemory& memory) = 0;

  /// The pump that the executor polls; nullptr if there is no remote place. It also detects peers that die, with or
  /// without shared memory. Valid until finish().
  virtual engine::Pump* pump() = 0;

  /// The number of threads of places on this host, which share its cores.
  virtual int local_threads() const = 0;

  /// Ends the run at every place and collects what each measured: link counters (by channel, into `counters`),
  /// report.partitions and report.metrics, and what places with hosts report. It is called after a failure as well:
  /// what cannot be collected is left out, and the error names the place.
  virtual absl::Status finish(std::span<link::LinkCounters> counters, v1::Report& report,
                              std::vector<v1::HostsReport>& hosts) = 0;

  /// Asks every place for its link counters while the run goes on, and adds its latest partition reports and
  /// metrics, at the end of the run as well. Thread-safe.
  virtual void sample(std::span<link::LinkCounters> counters, std::vector<v1::PartitionReport>& partitions,
                      observe::MetricReports& metrics) = 0;
  /// Asks every place only how long its partitions have been busy, which disturbs it less than sample(), and adds the
  /// partition reports of those that answer. At the end of the run, when nobody is asked, it adds those that were told
  /// last. Thread-safe.
  virtual void ask_partitions(std::vector<v1::PartitionReport>& partitions) = 0;
  /// What each transport has carried; empty unless the run goes on. Thread-safe.
  virtual std::vector<TransportCounters> transports() const = 0;
};

struct ConnectorOptions {
  std::string executable;  ///< The fabrictwin binary, with which local workers and soft boards are started.
  std::vector<WaveRequest> waves;
  ConnectionSecurity security;   ///< Of connections to places that listen already; those that it starts need none.
  uint64_t logged_messages = 0;  ///< How many messages each place records at most.
  /// What places know the run by, which tells it from all others; if empty, something that is random.
  std::string name{};
};

using ConnectorFactory = std::function<std::unique_ptr<PlaceConnector>(const ConnectorOptions&)>;

}  // namespace fabrictwin::run

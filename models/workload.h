// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What runs on the hosts, as the model partition sees it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/run/digest.h"
#include "fabrictwin/v1/report.pb.h"
#include "models/endpoint.h"
#include "models/host_process.h"

namespace fabrictwin {

class PacketWorkload;

/// A workload: makes the process of each host and says at the end what it measured. Lives as long as its processes.
class Workload {
 public:
  virtual ~Workload() = default;

  /// Makes the process of host `node`; called once for each node, in order. `digest` outlives it: the process adds the
  /// messages of the workload that it receives (add_message), the network interface adds the packets (add_arrival).
  /// nullptr if the host has nothing to do.
  virtual absl::StatusOr<std::unique_ptr<HostProcess>> make_process(int32_t node, EndpointDigest* digest);

  /// The same as a SystemC endpoint, during elaboration. Override one of the two.
  virtual absl::StatusOr<std::unique_ptr<Endpoint>> make_endpoint(int32_t node, EndpointDigest* digest);

  /// The same workload for a network whose hosts are no endpoints but send bare packets; nullptr if it needs endpoints.
  virtual PacketWorkload* packets() { return nullptr; }

  /// Whether no process learns at a time what another one does at that time, other than through its messages: then a
  /// network may simulate one host a little ahead of another, which is faster.
  virtual bool independent_hosts() const { return false; }

  /// One line for each thing that keeps the workload as a whole from going on (ranks that wait for each other), beside
  /// what each process waits for. While nothing moves.
  virtual std::vector<std::string> waits() const { return {}; }

  /// Adds what can be told at low cost while it goes on: report.traffic, of which report() tells the same.
  virtual void measure(v1::Report& report) const { (void)report; }

  /// Adds what the workload measured (ranks, throughput, latency) to the report. Valid at any time; a run may have been
  /// stopped.
  virtual void report(v1::Report& report) const = 0;

  /// The share of the workload that is done, 0 to 1, for people who wait for it. From any thread, once all processes
  /// are made.
  virtual double done() const = 0;
};

}  // namespace fabrictwin

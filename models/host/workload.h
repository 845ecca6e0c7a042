// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What runs on the hosts, as a model partition sees it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/engine/foreground.h"
#include "cosim/metric/sink.h"
#include "cosim/observe/digest.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"
#include "models/host/endpoint.h"
#include "models/host/host_process.h"

namespace fabrictwin::host {

/// A workload: makes the process of each host and reports at the end what it measured. Lives as long as its processes.
class Workload {
 public:
  virtual ~Workload() = default;

  /// Whether host `node` has anything to do: it may send or receive. Others have no process.
  virtual bool takes_part(int32_t /*node*/) const { return true; }

  /// Makes the process of host `node`; called once for each node, in order. nullptr if the host has nothing to do.
  /// `digest` outlives the process, which adds the messages of the workload that it receives (add_message); the network
  /// interface adds the packets (add_arrival).
  virtual absl::StatusOr<std::unique_ptr<HostProcess>> make_process(int32_t node, observe::EndpointDigest* digest);

  /// Makes the process as a SystemC endpoint, during elaboration. Override this or make_process().
  virtual absl::StatusOr<std::unique_ptr<Endpoint>> make_endpoint(int32_t node, observe::EndpointDigest* digest);

  /// Whether processes at one simulated time learn of each other only through messages: then a network may simulate one
  /// host a little ahead of another, which is faster.
  virtual bool independent_hosts() const { return false; }

  /// What its hosts share besides messages, for "hosts share ..." in an error; empty if nothing. Only where it is empty
  /// may its processes be made in several processes of the operating system, each with those of some hosts, and the
  /// report of each has what its hosts have done.
  virtual std::string_view shared_among_hosts() const { return "the state of their workload"; }

  /// Whether the run waits for something among hosts of several partitions, given the partition of each host, that is
  /// over at a time which none of these partitions knows.
  virtual bool end_is_cut(std::span<const int32_t> /*partition_of*/) const { return false; }

  /// Where partitions end together: how what the run waits for, and what is not over, goes on here.
  virtual engine::Foreground foreground() const { return {.state = engine::Foreground::State::kRuns}; }

  /// Bytes of each flow that have arrived, by Envelope::user[1] of flows; empty if there are no flows.
  virtual std::span<const uint64_t> flow_bytes() const { return {}; }
  /// These bytes for network interfaces, which count packet by packet from now on. Otherwise a flow counts when all of
  /// it has arrived.
  virtual std::span<uint64_t> count_flow_bytes() { return {}; }

  /// Bytes that have arrived so far of each class of traffic; those of traffic without classes are of one. Empty if the
  /// workload has no traffic.
  virtual std::vector<uint64_t> class_bytes() const { return {}; }

  /// One line for each reason why the workload as a whole cannot go on (ranks that wait for each other), in addition to
  /// what each process waits for. Called while nothing moves.
  virtual std::vector<std::string> waits() const { return {}; }

  /// Adds what is cheap to measure during a run, as metrics that are declared where this is defined.
  virtual void measure(metric::Sink& sink) const { measure_sums(sink); }
  /// Of that, what hosts of several partitions measure each for themselves and what is of all of them if it is added
  /// up. The rest is that of one partition.
  virtual void measure_sums(metric::Sink& sink) const { (void)sink; }

  /// Adds what the workload measured (ranks, throughput, latency) to the report. Valid at any time; the run may have
  /// been stopped.
  virtual void report(v1::Report& report) const = 0;

  /// What the hosts here have measured, where others are in other partitions, and how what all of them have measured
  /// gets into the report: it is taken part by part, and then reported. report_part() is false if there is nothing to
  /// tell; add_part() fails with DataLoss if a part is of another workload.
  virtual bool report_part(v1::WorkloadPart& /*part*/) const { return false; }
  virtual absl::Status add_part(const v1::WorkloadPart& /*part*/) { return absl::OkStatus(); }
  virtual void report_parts(v1::Report& report) const { this->report(report); }
  /// After all parts: whether all of the workload is done.
  virtual bool parts_done() const { return true; }
  /// What is reported of the hosts here then: all that the parts do not tell of.
  virtual void report_here(v1::Report& report) const { this->report(report); }

  /// The share of the workload that is done, 0 to 1, for a progress display. Callable from any thread once all
  /// processes are made.
  virtual double done() const = 0;
};

}  // namespace fabrictwin::host

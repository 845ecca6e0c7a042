// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a report says of queues, pauses and what congestion management sent, at the end and over simulated time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/experiment/experiment.h"
#include "cosim/metric/sink.h"
#include "cosim/system/system_graph.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"
#include "models/fabric/transport_hosts.h"
#include "models/host/control_counters.h"
#include "models/host/workload.h"
#include "models/partition/statistics/network_series.h"
#include "models/router/packet/sharded/sharded_network.h"

namespace fabrictwin::partition::statistics {

/// Follows the queues of a packet network. Not thread-safe.
class CongestionReport {
 public:
  /// What is known of flows, by their numbers.
  struct Flows {
    std::span<const fabric::FlowSigns> signs;  ///< None without a transport.
    double payload_share = 1;                  ///< The payload's of a full packet with its header.
    bool controlled = false;                   ///< A scheme controls them.
  };

  /// What it follows outlives it. `hosts` are those with a transport, by shard. Samples are added to `series`, which is
  /// empty, and snapshots of the trees of congestion are taken at the times `tree_at`, which rise.
  CongestionReport(const router::packet::sharded::ShardedNetwork& network, const system::SystemGraph& graph,
                   const host::Workload& workload, std::vector<const fabric::TransportHosts*> hosts, const Flows& flows,
                   NetworkSeries series, std::vector<Time> tree_at, const std::vector<experiment::FaultSpec>& faults)
      : network_(network),
        graph_(graph),
        workload_(workload),
        hosts_(std::move(hosts)),
        flows_(flows),
        faults_(faults),
        series_(std::move(series)),
        tree_at_(std::move(tree_at)) {}

  /// When the next sample or snapshot is due; the network must not have been simulated beyond.
  Time next() const { return std::min(series_.next(), next_tree()); }
  /// Takes all samples and snapshots up to and including `until`, before which nothing happens.
  void sample(Time until);
  /// Adds a line for each link that has failed: since when, and who waits for it.
  void add_waits(std::vector<std::string>& lines) const;
  /// Gives metrics of what is known now to a sink.
  void measure(metric::Sink& sink) const;
  /// Adds everything but flows to a report of a run that has come to `at`, where its workload had ended if `complete`.
  void report(Time at, bool complete, v1::Report& report) const;
  /// Adds what flows are beside each other to their lines of a report.
  void report_flows(v1::Report& report) const;
  /// Where others have parts of the network: all of that, as far as it is known here. Nothing happens any more before
  /// `still`. False if there is nothing to tell.
  bool report_part(Time still, v1::CongestionPart& part) const;

  // What reports are made of.
  static void report_set_aside(const router::packet::buffer::SetAsideCount& set_aside, v1::QueuesReport& report);
  static void report_fault(const experiment::FaultSpec& fault, int64_t queue_bytes, Time recovered,
                           v1::FaultReport& line);
  /// Adds what a fault with bit errors of a lane is and did; nothing for others.
  static void report_lane(const experiment::FaultSpec& fault, uint64_t damaged, v1::FaultReport& line);
  static std::string no_tree(Time wanted, Time at);

 private:
  void add_tree(Time at);
  size_t trees() const { return trees_.size() + tree_parts_.size(); }
  Time next_tree() const { return trees() < tree_at_.size() ? tree_at_[trees()] : Time::never(); }
  host::ControlCounters control() const;
  void report_queues(Time at, v1::QueuesReport& report) const;
  void report_faults(v1::Report& report) const;
  NetworkPoint state() const;
  void add_allowances(NetworkPoint& point) const;
  void report_part(Time at, v1::QueuesPart& part) const;
  void report_flow_parts(v1::CongestionPart& part) const;

  const router::packet::sharded::ShardedNetwork& network_;
  const system::SystemGraph& graph_;
  const host::Workload& workload_;
  std::vector<const fabric::TransportHosts*> hosts_;
  Flows flows_;
  std::vector<experiment::FaultSpec> faults_;
  NetworkSeries series_;
  std::vector<Time> tree_at_;
  std::vector<v1::TreeSnapshot> trees_;
  std::vector<v1::TreePart> tree_parts_;  ///< Instead of them, where others have parts of the network.
};

}  // namespace fabrictwin::partition::statistics

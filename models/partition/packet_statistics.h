// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a packet network measures on demand.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/metric/sink.h"
#include "cosim/run/registry.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"
#include "models/fabric/hosts.h"
#include "models/host/message_latencies.h"
#include "models/router/packet/sharded/sharded_network.h"

namespace fabrictwin::partition {

/// The packet trace, the latencies of messages and the message log of a packet network. Each shard notes what happens
/// in it; when all have come to the same time, the notes are put together in the order of time. So the result depends
/// neither on the number of threads nor on the steps in which the network is advanced.
class PacketStatistics {
 public:
  /// Null if the experiment and the context ask for nothing; then nothing is noted either. `hosts`, by shard, and
  /// `network` outlive it. Without a packet network, `network` is null, and only messages are noted.
  static std::unique_ptr<PacketStatistics> create(const run::PartitionContext& context,
                                                  std::span<const std::unique_ptr<fabric::Hosts>> hosts,
                                                  router::packet::sharded::ShardedNetwork* network);
  ~PacketStatistics();

  /// Puts together what was noted. All shards have come to the same time.
  void collect();

  void measure(metric::Sink& sink) const;
  void report(v1::Report& report) const;
  /// Adds what it knows of messages between partitions; false if they are not timed.
  bool report_part(v1::WorkloadPart& part) const;

 private:
  class Shard;

  PacketStatistics(const run::PartitionContext& context, std::span<const std::unique_ptr<fabric::Hosts>> hosts,
                   router::packet::sharded::ShardedNetwork* network);
  void collect_packets();
  void collect_messages();

  run::PartitionContext context_;
  bool traces_;  ///< Packets are traced.
  std::vector<std::unique_ptr<Shard>> shards_;
  std::unique_ptr<host::MessageLatencies> latencies_;  ///< Null unless messages are timed.
};

}  // namespace fabrictwin::partition

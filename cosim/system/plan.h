// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The plan: which element is simulated by which partition, and where.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/link/link_type.h"
#include "cosim/system/faults.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::system {

enum class PlaceKind : uint8_t {
  kInProcess,     ///< This process, which is always place 0.
  kLocalWorker,   ///< A worker process that the run starts.
  kRemoteWorker,  ///< A worker that already listens at an address.
  kSoftBoard,     ///< A soft board and its agent, both started by the run.
  kBoardAgent,    ///< A board agent that already listens at an address.
  kMpiRank,       ///< Another rank of the MPI world that this process is rank 0 of.
};

enum class Transport : uint8_t { kNone, kShm, kUnix, kTcp, kMpi };

/// A place: a process or board that simulates partitions.
struct Place {
  PlaceKind kind = PlaceKind::kInProcess;
  Transport transport = Transport::kNone;  ///< The transport of its records; for an address, kUnix or kTcp.
  int32_t rank = 0;                        ///< The rank of MPI; of others 0.
  bool shell = false;                      ///< The soft board is a Verilated shell.
  std::string address;                     ///< The address of a worker or agent that listens already.
  std::string name;  ///< The name as written, made unique: "inproc", "worker:shm", "worker:shm#2", "10.0.0.2:7000",
                     ///< "mpi:2".
};

/// One partition. Each RTL or board element is a partition of its own; all models of one depth at a place form one (a
/// process holds one SystemC context).
struct PartitionPlan {
  std::string name;  ///< "models" (at place 0), "models@worker:shm", "packets@worker:shm", "flits", "router[1]".
  v1::Implementation implementation = v1::MODEL;
  int32_t place = 0;                   ///< The index of its place in Plan::places.
  std::vector<ElementId> elements;     ///< Ascending.
  std::vector<ElementId> packets;      ///< Nodes among them whose routers are packets. Ascending.
  v1::RouterModel depth = v1::EXANET;  ///< The model of its routers; of RTL and boards that of the experiment.
  link::LinkType link_type;            ///< What its links carry, if both of their ends are like this.
};

/// The plan of a run. The same experiment gives the same plan in every process that takes part.
struct Plan {
  SystemGraph graph;
  std::vector<Place> places;
  std::vector<PartitionPlan> partitions;
  std::vector<int32_t> partition_of;  ///< The partition of each element.
  std::vector<int32_t> cut_channels;  ///< Channels between two partitions, ascending.
  std::vector<ChannelFault> faults;   ///< Those of links that carry words.

  int32_t source_partition(int32_t channel) const { return partition_of[graph.channel_source(channel).element]; }
  int32_t target_partition(int32_t channel) const { return partition_of[graph.channel_target(channel).element]; }
  /// The place of an element, as an index into `places`.
  int32_t place_of(ElementId element) const { return partitions[partition_of[element]].place; }
  /// Whether a router or node is simulated word by word, and not as packets or flits.
  bool moves_words(ElementId id) const;
  /// The name of a partition that is elsewhere, with its place: "router[1] (worker:unix)", "models@worker:unix".
  std::string name_with_place(const PartitionPlan& partition) const;
  /// The link of a channel, as it is between what its ends are. Rate and latency may differ by direction.
  const Link& channel_link(int32_t channel) const;
  /// What a channel carries: words, if that is what one of its ends has.
  link::LinkType link_type(int32_t channel) const;
  /// Whether hosts are in several partitions, at other places, or with models that go on for other partitions: what is
  /// still on its way when those of one partition are done may concern others.
  bool hosts_apart() const;
  /// Whether hosts are apart and what happens after the end would show: in the work of jobs in the background, or in
  /// what network interfaces of words still tell each other. Partitions then tell of their foreground work, and all
  /// come to the end and no further (engine::Foreground).
  bool ends_together(const experiment::Experiment& experiment) const;
};

/// Makes the plan of a checked experiment whose topology has been built (models/topology): applies the `use` rules and
/// groups elements into partitions. Errors (InvalidArgument) are diagnostics with source locations: a selector that
/// selects nothing (with the names that exist), an implementation or a depth that an element does not have, a host that
/// is not with its router, several elements on one board, hardware of what it cannot do
/// (experiment.capabilities.hardware), a fault of a link of words that it cannot have.
absl::StatusOr<Plan> make_plan(const experiment::Experiment& experiment, SystemGraph graph);

/// Elements named by a selector ("*", "router[*]", "router[0..3],host[1]"), ascending. InvalidArgument if it is
/// malformed or selects nothing.
absl::StatusOr<std::vector<ElementId>> select_elements(const SystemGraph& graph, std::string_view selector);

}  // namespace fabrictwin::system

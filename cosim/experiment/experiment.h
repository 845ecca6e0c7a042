// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An experiment that has been read and checked: every quantity has its type, and every mistake has been reported with
// its source location.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "cosim/experiment/capabilities.h"
#include "cosim/experiment/hardware_congestion.h"
#include "cosim/experiment/link_spec.h"
#include "cosim/experiment/source_location.h"
#include "cosim/link/packet_format.h"
#include "cosim/link/record.h"
#include "fabrictwin/v1/experiment.pb.h"
#include "fabrictwin/v1/validation.pb.h"

namespace fabrictwin::experiment {

/// What routers of all models have; see Router in router.proto, which has the defaults.
struct RouterSpec {
  v1::RouterModel model = v1::EXANET;
  Frequency clock;
  int32_t vcs = link::kVcs;  ///< The VCs of each port.
  int32_t buffer_words = 0;  ///< The input buffer of each VC.
  /// No packet waits behind another one of its VC that still holds an escape VC: see routing::proof::check_deadlock().
  bool whole_packets = true;
  Bytes packet_payload;        ///< The most bytes of a message in a packet, where that is a choice.
  int32_t credit_words = 1;    ///< For how many words of a link a credit is.
  link::PacketFormat packets;  ///< The words of packets, where links carry words.
  std::string library;         ///< The shared library with the RTL of routers that are a user's own; empty if none.
  /// The checked values of the model, of a type that its folder in models/router defines: PacketSpec for PACKET.
  std::any spec;
};

/// What routers tell each other of hot outputs; see Notification in router.proto, which has the defaults.
struct NotificationSpec {
  Bytes threshold;
  Time interval;
};

/// How packets are routed; see Routing in router.proto, which has the defaults.
struct RoutingSpec {
  v1::RoutingKind algorithm = v1::DEFAULT;
  std::string order;  ///< If empty, the dimensions are taken in their own order.
  std::string table;  ///< A path that can be opened from the working directory.
  std::string root;   ///< If empty, the first of the routers with the most links.
  int32_t bias = 0;   ///< In flits.
  double threshold = 0;
  v1::Routing::QueueMeasure queue_measure = v1::Routing::QUEUE_MEASURE_UNSPECIFIED;
  std::optional<NotificationSpec> notification;
  bool own_vcs = false;  ///< Global links of a dragonfly use only the VCs of their class.
};

/// How many packets are traced, and where to; see PacketTrace in statistics.proto, which has the defaults.
struct PacketTraceSpec {
  double sample = 0;
  int32_t max_packets = 0;
  std::string file;  ///< A file name without folder.
};

/// A window of simulated time; see GoodputWindow in statistics.proto.
struct GoodputWindowSpec {
  Time from;
  Time until;  ///< After `from`.
};

/// What the run measures on demand; see Statistics in statistics.proto.
struct StatisticsSpec {
  bool latency_histogram = false;
  bool per_node = false;
  Time occupancy_interval;      ///< Zero turns the samples off.
  Time series_interval;         ///< Zero: no series.
  std::vector<Time> tree_at;    ///< Times of snapshots of the trees of congestion, in rising order.
  bool queues = false;          ///< What waits for outputs of routers, or in their inputs, is counted.
  bool message_matrix = false;  ///< For MPI jobs.
  bool rank_timeline = false;   ///< For MPI jobs.
  Time link_interval;           ///< Zero: links are not sampled.
  std::optional<GoodputWindowSpec> goodput_window;
  std::optional<PacketTraceSpec> packet_trace;
};

/// The memory channel of a host; see HostMemory in host.proto, which has the defaults.
struct HostMemorySpec {
  Bandwidth bandwidth;
  Time latency;
  int32_t outstanding = 0;
  Bytes burst;
  int32_t load_cores = 0;
  Bandwidth load_rate;
  Bandwidth compute_traffic;
  Time page_fault_time;  ///< Zero if all pages are present.
};

/// What an MPI library does inside collectives beside their messages; see CollectiveCosts in host.proto.
struct CollectiveSpec {
  Time request;
  Time reduction;
  Time buffer;
  Bandwidth rate;  ///< If zero, bytes take no time.
};

/// How a network interface of exanest interrupts for messages in its mailbox; see Host in host.proto.
struct InterruptSpec {
  Time latency;          ///< From the interrupt until the driver looks.
  int32_t messages = 0;  ///< The interrupt waits for so many; 0: only for `delay`.
  Time delay;            ///< How long a message may wait for it.
};

struct HostSpec {
  Time send_overhead;
  Time receive_overhead;
  std::optional<HostMemorySpec> memory;
  bool memory_is_bus = false;                      ///< The memory is the bus of an adapter, which no core uses.
  Bandwidth copy_rate;                             ///< If zero, copies take no time.
  std::optional<Time> firmware_delay;              ///< If not set, the calibration's value is used.
  bool translation_cache = false;                  ///< The RDMA unit remembers pages that are present.
  int32_t receive_windows = 0;                     ///< Long messages that may be arriving at once.
  int32_t memory_ring_entries = 0;                 ///< Of mailbox rings in the host's memory; 0: they are in block RAM.
  std::optional<InterruptSpec> mailbox_interrupt;  ///< If not set, the processor polls.
  v1::Host::Nic nic = v1::Host::PLAIN;
  /// The checked values of the network interfaces, of a type that their folder in models/nic defines.
  std::any nic_spec;
  Bytes eager_limit;    ///< For jobs that do not set their own.
  std::string profile;  ///< The name of the host profile.
  Time match_overhead;  ///< The time for each queue entry that is searched.
  CollectiveSpec collectives;
  Time loopback_latency;               ///< Between ranks of one host; never() if they use the network interface.
  Bandwidth loopback_rate;             ///< If zero, copy_rate applies.
  bool allreduce_accelerator = false;  ///< MPI_Allreduce uses the accelerators of the nodes where they can.
  Time allreduce_timeout;              ///< Zero: none.
};

/// How hosts send where they have a transport; see Transport in congestion.proto, which has the defaults.
struct TransportSpec {
  /// Header and trailer of a data packet in bytes; if not set, those of nic::PlainPacket.
  std::optional<int64_t> header;
  int64_t acknowledgement = 0;  ///< In bytes.
  v1::Transport::Arbitration arbitration = v1::Transport::ROUND_ROBIN;
  bool acknowledgements_with_data = false;  ///< They have no class of their own.
  Time acknowledgement_delay;               ///< Of those without bytes, beyond the time of a word.
};

/// The queues of the inputs of routers; see Queues in congestion.proto, which has the defaults.
struct QueuesSpec {
  v1::Queues::Scheme scheme = v1::Queues::ONE;
  int32_t count = 0;  ///< Queues or set-aside queues, where the scheme has a number of them.
  int32_t flits = 0;  ///< The buffer of each queue; 0: that of a VC.
  v1::Queues::Admittance admittance = v1::Queues::SINGLE;
  int32_t detect = 0;  ///< Packets: of a queue whose first destination is set aside,
  int32_t stop = 0;    ///< of a set-aside queue that stops the one before it,
  int32_t resume = 0;  ///< and of one that lets it go on.
};

/// A link that degrades or fails, and returns; see Fault in congestion.proto.
struct FaultSpec {
  std::string link;    ///< "router[0].x+", or "host[3]"; of a reset the element, "router[0]".
  bool reset = false;  ///< All links between it and others that are no hosts fail.
  Time at;
  Time until = Time::never();
  double rate = 0;            ///< The share of its rate that is left.
  double bit_error_rate = 0;  ///< The share of wrong bits; 0: the fault is another one.
  bool one_way = false;
  SourceLocation source;
};

// Boards that the run starts itself, each with its agent.
inline constexpr std::string_view kSoftBoard = "soft";    ///< A soft board.
inline constexpr std::string_view kShellBoard = "shell";  ///< A Verilated shell.

inline bool is_started_board(std::string_view place) { return place == kSoftBoard || place == kShellBoard; }

/// One `use` rule as written, with its source location.
struct UseSpec {
  std::string select;
  v1::Implementation implementation = v1::MODEL;
  std::string place;  ///< "inproc", "worker:shm", "worker:unix", "worker:tcp", "mpi:RANK", "HOST:PORT", "unix:PATH"; of
                      ///< a board kSoftBoard, kShellBoard or an address.
  v1::RouterModel depth = v1::ROUTER_MODEL_UNSPECIFIED;  ///< Of models; unspecified: that of the experiment's routers.
  SourceLocation source;
};

/// What the other parts of an experiment have to know of its workload.
struct WorkloadTraits {
  bool ranks = false;         ///< Software runs on the hosts: ranks of MPI jobs.
  bool bare_packets = false;  ///< Hosts have packets of their own instead of messages: traffic.
  Bytes packet_payload;       ///< The payload of these packets.
  bool flows = false;         ///< Messages are flows, which have queue pairs of their own where hosts have a transport.
  bool background = false;    ///< There are jobs in the background, which end with the others.
};

/// The whole experiment.
struct Experiment {
  /// Whether traffic goes straight into routers, which count in flits, and not through network interfaces. It asks the
  /// message for the network interface, as routers do before hosts have been checked.
  bool sends_bare_packets() const {
    return workload_traits.bare_packets && capabilities.of(router.model).bare_packets &&
           capabilities.of(message.host().nic()).takes_no_time;
  }

  v1::Experiment message;  ///< The message with all overrides applied; its text form loads to an equal experiment.
  std::string file;
  /// What the parts that it may name can do.
  Capabilities capabilities;
  v1::Topology::KindCase topology = v1::Topology::kTorus;
  TopologyTraits topology_traits;
  /// The checked values of the topology, of a type that its folder in models/topology defines: TorusSpec for a torus.
  std::any topology_spec;
  RouterSpec router;
  RoutingSpec routing;
  HostSpec host;
  StatisticsSpec statistics;
  /// The scheme of congestion management, of a type that models/congestion defines; empty if there is none.
  std::any congestion_spec;
  /// The scheme where routers only mark; congestion_spec is empty then.
  std::optional<HardwareCongestion> hardware_congestion;
  std::optional<TransportSpec> transport;  ///< If hosts have a transport.
  QueuesSpec queues;
  std::vector<FaultSpec> faults;
  v1::Workload::KindCase workload = v1::Workload::KIND_NOT_SET;
  /// The checked values of the workload, of a type that its folder in workloads defines: PutsSpec for puts.
  std::any workload_spec;
  WorkloadTraits workload_traits;
  /// The timing of models fitted to RTL, if the experiment names a calibration. The models themselves check that they
  /// have its parameters.
  std::optional<v1::ModelCalibration> calibration;
  std::vector<UseSpec> uses;
  bool stop_at_workload_end = true;
  Time stop_after = Time::never();
  uint64_t seed = 0;
  /// The source locations of the parts, for errors that are found later (a trace with more ranks than hosts).
  SourceLocation workload_location;
  SourceLocation topology_location;
  SourceLocation router_location;
  SourceLocation memory_location;     ///< host.memory.
  SourceLocation firmware_location;   ///< host.firmware_delay.
  SourceLocation allreduce_location;  ///< host.allreduce.
  SourceLocation vcs_location;        ///< The number of VCs of the routers.
  SourceLocation routing_location;    ///< The routing algorithm, or the topology if none is written.
  SourceLocation order_location;      ///< The dimension order of the routing.
  SourceLocation table_location;
  SourceLocation root_location;
  SourceLocation own_vcs_location;
  SourceLocation packet_trace_location;
  SourceLocation calibration_location;  ///< The field that names the calibration file.
  /// Those of fields that are compared with the network once it is known, and of the messages around them, by path.
  std::map<std::string, SourceLocation, std::less<>> locations;

  /// The location in `locations` of a field, or else of the message around it; that of the topology if neither is
  /// written.
  const SourceLocation& location_of(std::string_view path) const;

  /// The checked values of routers of a known model: router_as<router::packet::PacketSpec>().
  template <typename Spec>
  const Spec& router_as() const {
    return std::any_cast<const Spec&>(router.spec);
  }
  /// The checked values of a topology of a known kind: topology_as<topology::lattice::TorusSpec>().
  template <typename Spec>
  const Spec& topology_as() const {
    return std::any_cast<const Spec&>(topology_spec);
  }
  /// The checked values of the workload if they are of this type, or else null.
  template <typename Spec>
  const Spec* workload_as() const {
    return std::any_cast<Spec>(&workload_spec);
  }
  template <typename Spec>
  Spec* workload_as() {
    return std::any_cast<Spec>(&workload_spec);
  }
};

/// A value that an option gives to a field: in one run of a sweep, or an option of `fabrictwin osu`.
struct FieldSetting {
  std::string path;                ///< "workload.traffic.load".
  std::string value;               ///< "0.5".
  std::string argument;            ///< The argument as the user wrote it; errors point into it.
  size_t offset = 0;               ///< The offset of the value in `argument`.
  std::string option = "--sweep";  ///< The option to which the argument belongs.
};

/// Options of the command line that change an experiment.
struct Overrides {
  std::vector<std::string> sets;       ///< "workload.traffic.load=0.5", "topology.torus.dims=4x4x2".
  std::vector<FieldSetting> settings;  ///< Applied after `sets`.
  std::vector<std::string> uses;       ///< "router[1]=RTL@worker:unix", "router[6]=BOARD@soft", "router[2]=MODEL".
  std::vector<std::string> parts;      ///< Rules as in `uses`, applied after them, which --split has made.
  std::optional<uint64_t> seed;
  bool check_files =
      true;  ///< False if the files that it names are on another host (in a worker), so that they need not exist.
};

struct Tenants;  // tenants.h

/// The file name that stands for standard input.
inline constexpr std::string_view kStandardInput = "-";
/// The name of a file in messages and reports: "<stdin>", or the file name itself.
std::string experiment_name(const std::string& file);
/// Reads the text of an experiment file. Standard input is read once and kept. Errors (InvalidArgument, NotFound) say
/// what to do.
absl::StatusOr<std::string> read_experiment(const std::string& file);

/// Reads, overrides and checks an experiment file that may name `tenants`; "-" is standard input, whose paths are
/// relative to the working directory. Errors (InvalidArgument, NotFound) hold one diagnostic of format_diagnostic() for
/// each mistake, separated by newlines, with a suggestion where a name is nearly right.
absl::StatusOr<Experiment> load_experiment(const std::string& file, const Tenants& tenants,
                                           const Overrides& overrides = {});

/// Does what load_experiment() does for text that is already in memory. `file` names the text in errors, and paths in
/// it are relative to the folder of `file`.
absl::StatusOr<Experiment> parse_experiment(std::string_view text, const std::string& file, const Tenants& tenants,
                                            const Overrides& overrides = {});

}  // namespace fabrictwin::experiment

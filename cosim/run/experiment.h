// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An experiment that has been read and checked: every quantity has its type, every mistake has been reported with its
// place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "fabrictwin/v1/experiment.pb.h"

namespace fabrictwin {

/// A k-ary n-cube; see Torus in experiment.proto.
struct TorusSpec {
  std::vector<int32_t> dims;
  Bandwidth link_rate;
  Time link_latency;
  Bandwidth tile_rate;
  Time tile_latency;
};

/// The ExaNeSt prototype; see Exanest in experiment.proto.
struct ExanestSpec {
  int32_t blades = 1;
  int32_t qfdbs = 4;  ///< Of each blade.
  Bandwidth link_rate;
  Bandwidth board_rate;
  Time link_latency;
  Time host_latency;
};

struct MpiTraceSpec {
  std::string path;  ///< As it can be opened from the working directory.
  double compute_scale = 1.0;
  Bytes eager_limit;
};

/// Synthetic traffic; see Traffic in experiment.proto.
struct TrafficSpec {
  v1::TrafficPattern pattern = v1::UNIFORM;
  double load = 0;
  Bytes payload;
  Time duration;
  double hotspot_fraction = 0.1;
  std::vector<int32_t> hotspot_hosts = {0};
  bool include_self = false;
  int32_t sample_cycles = 5000;
  int32_t warmup_samples = 3;
  int32_t max_samples = 10;
  int32_t latency_limit_cycles = 3000;
};

/// Routers of the model INPUT_QUEUED; see Router in experiment.proto.
struct InputQueuedSpec {
  int32_t vcs = 2;
  int32_t vc_buffer_flits = 36;
  v1::Switching switching = v1::CREDIT_PER_FLIT;
  v1::Arbitration arbitration = v1::ROUND_ROBIN;
  int32_t routing_delay = 1;
  int32_t vc_alloc_delay = 1;
  int32_t switch_alloc_delay = 1;
  int32_t switch_delay = 1;
  int32_t credit_delay = 0;
  int32_t internal_speedup = 1;
};

struct RouterSpec {
  Frequency clock;
  int32_t buffer_words = 0;  ///< Of each VC, whatever the model.
  v1::RouterModel model = v1::EXANET;
  InputQueuedSpec input_queued;
};

/// The memory channel of a host; see HostMemory in experiment.proto.
struct HostMemorySpec {
  Bandwidth bandwidth;
  Time latency;
  int32_t outstanding = 8;
  Bytes burst{256};
  int32_t load_cores = 0;
  Bandwidth load_rate;
  Bandwidth compute_traffic;
  Time page_fault_time;  ///< Zero: all pages are there.
};

struct HostSpec {
  Time send_overhead;
  Time receive_overhead;
  std::optional<HostMemorySpec> memory;
  Bandwidth copy_rate;  ///< Zero: copies take no time.
  Time firmware_delay;
};

/// Where a mistake can be pointed at: a line of the file or an argument of the command line.
struct SourcePlace {
  std::string file;  ///< File name, or the option ("--use").
  std::string line_text;
  int32_t line = 0;    ///< From 1.
  int32_t column = 0;  ///< From 1.
};

/// "FILE:LINE:COL: error: MESSAGE", then the line and a caret under the column.
std::string format_diagnostic(const SourcePlace& place, std::string_view message);

/// One `use` rule as written, with its place.
struct UseSpec {
  std::string select;
  v1::Implementation implementation = v1::MODEL;
  std::string place;  ///< "inproc", "worker:shm", "worker:unix", "worker:tcp", "HOST:PORT", "unix:PATH"; for a board:
                      ///< "soft" or an address.
  SourcePlace source;
};

/// The whole experiment.
struct Experiment {
  v1::Experiment message;  ///< With all overrides applied; its text form loads to an equal experiment.
  std::string file;
  v1::Topology::KindCase topology = v1::Topology::kTorus;  ///< Which of the following counts.
  TorusSpec torus;
  ExanestSpec exanest;
  RouterSpec router;
  HostSpec host;
  std::variant<MpiTraceSpec, TrafficSpec> workload;
  std::vector<UseSpec> uses;
  bool stop_at_workload_end = true;
  Time stop_after = Time::never();
  uint64_t seed = 0;
  /// Where each part stands, for errors that only show later (a trace with more ranks than hosts).
  SourcePlace workload_place;
  SourcePlace pattern_place;  ///< Of traffic.
  SourcePlace topology_place;
  SourcePlace router_place;
  SourcePlace memory_place;    ///< Of the host.
  SourcePlace firmware_place;  ///< The same.
};

/// Options of the command line that change an experiment.
struct Overrides {
  std::vector<std::string> sets;  ///< "workload.traffic.load=0.5", "topology.torus.dims=4x4x2".
  std::vector<std::string> uses;  ///< "router[1]=RTL@worker:unix", "router[6]=BOARD@soft", "router[2]=MODEL".
  std::optional<uint64_t> seed;
  bool check_files = true;  ///< False where the files it names are on another host (a worker): they need not exist.
};

/// Reads, overrides and checks an experiment file. Errors (InvalidArgument, NotFound) hold one diagnostic of
/// format_diagnostic() for each mistake, separated by newlines, with a suggestion where a name is nearly right.
absl::StatusOr<Experiment> load_experiment(const std::string& file, const Overrides& overrides = {});

/// The same for text that is already in memory; `file` names it in errors, and relative paths in it are relative to its
/// folder.
absl::StatusOr<Experiment> parse_experiment(std::string_view text, const std::string& file,
                                            const Overrides& overrides = {});

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The MPI jobs of an experiment, checked: plain values for those who run them. Fields are explained where users write
// them, in job.proto.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "cosim/experiment/source_place.h"
#include "fabrictwin/v1/job.pb.h"

namespace fabrictwin::experiment {

/// Which rank runs where; see Placement in job.proto.
struct PlacementSpec {
  v1::Placement::Kind kind = v1::Placement::BLOCK;
  int32_t ranks_per_host = 1;
  std::vector<std::pair<int32_t, int32_t>> hosts;  ///< Ranges with both ends included; empty means all hosts.
  std::string file;                                ///< A path that can be opened from the working directory.
  std::vector<int32_t> virtual_torus;
  SourcePlace place{};
  SourcePlace kind_place{};            ///< The kind, or the placement if no kind is written.
  SourcePlace ranks_per_host_place{};  ///< ranks_per_host, or the placement if it is not written.
};

/// See MpiTrace in job.proto.
struct MpiTraceSpec {
  std::string path;  ///< A path that can be opened from the working directory.
  double compute_scale = 1.0;
  std::optional<Bytes> eager_limit;  ///< If not set, the host's limit applies.
};

struct HpcgSpec {
  std::array<int32_t, 3> local{};
  std::optional<std::array<int32_t, 3>> grid;  ///< The grid of ranks; if not set, HPCG's choice.
  int32_t reference_iterations = 1;
};

struct MinifeSpec {
  std::array<int32_t, 3> global{};
  int32_t iterations = 200;
};

/// One of the benchmark problems of LAMMPS.
struct LammpsSpec {
  v1::Skeleton::ApplicationCase problem = v1::Skeleton::kLammpsLj;
  int64_t atoms = 0;
  int32_t steps = 100;
  int32_t rebuild_steps = 4;  ///< For the chain problem only.
};

/// See Skeleton in job.proto.
struct SkeletonSpec {
  std::variant<HpcgSpec, MinifeSpec, LammpsSpec> application;
  int32_t ranks = 0;
};

/// See Osu in job.proto.
struct OsuSpec {
  v1::Osu::Benchmark benchmark = v1::Osu::LATENCY;
  std::vector<Bytes> sizes;
  int32_t iterations = 20;
  int32_t warmup = 2;
  int32_t window = 64;
  int32_t ranks = 0;  ///< 0 means as many as the hosts can take.
};

/// See Gemm in job.proto.
struct GemmSpec {
  int32_t size = 0;
  int32_t rows = 0;
  int32_t columns = 0;
  int32_t panel = 0;
  int32_t tile = 128;
  int32_t tile_cycles = 4200;
  Frequency clock{300'000'000};
  Bandwidth memory_rate;
  Time start_overhead;
};

/// One job; see Job in job.proto.
struct JobSpec {
  std::string name{};
  std::variant<MpiTraceSpec, SkeletonSpec, OsuSpec, GemmSpec> work;
  PlacementSpec placement{};
  bool background = false;
  SourcePlace place{};
};

/// The jobs of an experiment, at least one.
struct JobsSpec {
  std::vector<JobSpec> jobs;
};

}  // namespace fabrictwin::experiment

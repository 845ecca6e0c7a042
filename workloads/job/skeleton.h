// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The communication of an application, made while it runs, as a job.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>

#include "absl/status/statusor.h"
#include "fabrictwin/v1/job.pb.h"
#include "workloads/mpi/job_kind.h"
#include "workloads/trace/format/source.h"

namespace fabrictwin::job {

struct HpcgSpec {
  std::array<int32_t, 3> local{};
  std::optional<std::array<int32_t, 3>> grid;  ///< The grid of ranks; if not set, HPCG's choice.
  int32_t reference_iterations = 0;
};

struct MinifeSpec {
  std::array<int32_t, 3> global{};
  int32_t iterations = 0;
};

/// One of the benchmark problems of LAMMPS.
struct LammpsSpec {
  v1::Skeleton::ApplicationCase problem{};
  int64_t atoms = 0;
  int32_t steps = 0;
  int32_t rebuild_steps = 0;  ///< For the chain problem only.
};

/// See Skeleton in job.proto, which has the defaults.
struct SkeletonSpec {
  std::variant<HpcgSpec, MinifeSpec, LammpsSpec> application;
  int32_t ranks = 0;
};

/// The events of a skeleton whose ranks compute at the speed of the host profile `host` (empty: in no time).
/// InvalidArgument if the application cannot run with these options.
absl::StatusOr<std::shared_ptr<const trace::format::Source>> make_skeleton(const SkeletonSpec& spec,
                                                                           std::string_view host);

/// The kind skeleton.
const mpi::JobKind& skeleton();

}  // namespace fabrictwin::job

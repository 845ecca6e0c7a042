// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Congestors of GPCNeT with two-sided messages.
#pragma once

#include <cstdint>
#include <memory>

#include "workloads/gpcnet/spec.h"
#include "workloads/mpi/job_program.h"

namespace fabrictwin::gpcnet {

/// Ranks on `hosts` hosts in slices, as those of VictimProgram. Each sends to each other one of its slice in turn, and
/// receives from another one meanwhile; or all send to the first of their slice.
std::unique_ptr<mpi::JobProgram> make_alltoall(const GpcnetSpec& spec, int32_t hosts);
std::unique_ptr<mpi::JobProgram> make_incast(const GpcnetSpec& spec, int32_t hosts);

}  // namespace fabrictwin::gpcnet

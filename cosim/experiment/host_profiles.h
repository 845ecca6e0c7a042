// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Processors and MPI libraries that hosts can be given by name.
#pragma once

#include <span>
#include <string_view>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"

namespace fabrictwin {

/// What an MPI library costs a core. Where the numbers come from: docs/models/host-profiles.md
struct MpiOverheads {
  std::string_view name;
  Time send;                ///< Of starting a send.
  Time receive;             ///< Of completing a receive.
  Time match;               ///< Of each queue entry that is looked at.
  Bandwidth copy_rate;      ///< Of eager messages; zero: copies take no time.
  Time loopback_latency;    ///< Between ranks of one host.
  Bandwidth loopback_rate;  ///< Zero: as `copy_rate`.
};

/// All profiles; the first one, "none", is the default.
std::span<const MpiOverheads> mpi_overheads();

/// The profile of that name; null if there is none.
const MpiOverheads* find_mpi_overheads(std::string_view name);

}  // namespace fabrictwin

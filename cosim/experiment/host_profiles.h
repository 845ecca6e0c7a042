// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Profiles of processors and MPI libraries that an experiment selects by name.
#pragma once

#include <span>
#include <string_view>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"

namespace fabrictwin::experiment {

/// The costs of an MPI library on a core. docs/models/host-profiles.md gives the sources of the numbers.
struct MpiOverheads {
  std::string_view name;
  Time send;                ///< The time to start a send.
  Time receive;             ///< The time to complete a receive.
  Time match;               ///< The time for each queue entry that is searched.
  Bandwidth copy_rate;      ///< For eager messages; if zero, copies take no time.
  Time loopback_latency;    ///< Between ranks of one host.
  Bandwidth loopback_rate;  ///< If zero, `copy_rate` applies.
  // Inside collectives: docs/models/mpi-replay.md.
  Time request;          ///< The time of each request of an exchange.
  Time reduce;           ///< The time of each reduction of what has come.
  Time buffer;           ///< The time of the temporary buffer of a call that reduces.
  Bandwidth local_rate;  ///< For the bytes that are copied and reduced; if zero, they take no time.
};

/// All profiles; the first one, "none", is the default.
std::span<const MpiOverheads> mpi_overheads();

/// The profile with this name; null if there is none.
const MpiOverheads* find_mpi_overheads(std::string_view name);

}  // namespace fabrictwin::experiment

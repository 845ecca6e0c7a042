// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory of a host as seen by its cores.
#pragma once

#include <optional>

#include "cosim/experiment/experiment.h"
#include "models/memory/host_memory.h"

namespace fabrictwin::mpi::protocol {

/// The channel that the cores share with the network interface according to `host.memory`. Nothing if there is none, or
/// if it is the bus of an adapter, which no core uses (docs/models/host-memory.md).
inline std::optional<memory::HostMemory::Config> core_memory(const experiment::HostSpec& host) {
  if (!host.memory.has_value() || host.memory_is_bus) return std::nullopt;
  return memory::HostMemory::Config::from(*host.memory);
}

}  // namespace fabrictwin::mpi::protocol

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory of a host as its cores see it.
#pragma once

#include <optional>

#include "cosim/run/experiment.h"
#include "models/host_memory.h"

namespace fabrictwin {

/// The channel that `host.memory` says the cores share with the network interface. Nothing if there is none, or if it
/// is the bus of an RDMA adapter, which no core uses (docs/models/host-memory.md).
inline std::optional<HostMemory::Config> core_memory(const HostSpec& host) {
  if (!host.memory.has_value() || host.nic == v1::Host::RDMA) return std::nullopt;
  return HostMemory::Config::from(*host.memory);
}

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks, before a system is built, whether it fits in the memory of this machine.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "cosim/experiment/experiment.h"

namespace fabrictwin::cli::support {

/// The memory that this process may use.
struct MemoryLimit {
  double bytes = 0;
  std::string whose;  ///< "this machine has", for messages.
};

/// The least of the memory of this machine, that of the control group of this process and of those that this one is in,
/// and its limit (ulimit -v). Files of the system are read in the folder `root`.
MemoryLimit memory_limit(const std::string& root = {});

/// What is built from an experiment.
enum class MemoryUse {
  kPlan,  ///< The graph and the plan.
  kRun,   ///< The graph, the plan, hosts and routers.
};

/// A lower bound of the memory of a system in bytes. The real need is much higher and depends on the traffic, so that a
/// system that is refused could certainly not have been built. It is that of the process that needs most, where rules
/// put parts into other ones of this machine; `split` is the number of parts into which the system will be cut here.
double least_memory(const experiment::Experiment& experiment, MemoryUse use, int32_t split = 1);

/// What a run takes by what was measured of nodes of its kind, in bytes: within a factor of two without much traffic.
/// Of which process, as for least_memory().
double expected_memory(const experiment::Experiment& experiment, int32_t split = 1);

/// The message for a process whose memory has run out: check_memory() knows only a lower bound. It has what the last
/// run that was checked is expected to take.
std::string memory_used_up();

/// InvalidArgument with the source location of the topology if `limit` is less than least_memory().
absl::Status check_memory(const experiment::Experiment& experiment, MemoryUse use,
                          const MemoryLimit& limit = memory_limit(), int32_t split = 1);

}  // namespace fabrictwin::cli::support

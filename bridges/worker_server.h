// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A worker: a process that simulates partitions of other processes' runs.
#pragma once

#include "absl/status/status.h"
#include "bridges/bridge_server_options.h"
#include "cosim/run/registry.h"

namespace fabrictwin {

struct WorkerOptions : BridgeServerOptions {
  bool once = false;  ///< End after one run.
  Registry registry;  ///< What it can build.
  int threads = 1;    ///< At most this many threads for a run whose records travel in shared memory; others use one.
};

/// Serves runs one after another (docs/bridge-protocol.md) until stopped, or after one. Errors: Unavailable if it
/// cannot listen.
absl::Status serve_worker(const WorkerOptions& options);

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A worker: a process that simulates partitions of other processes' runs.
#pragma once

#include "absl/status/status.h"
#include "bridges/server/options.h"
#include "cosim/run/registry.h"

namespace fabrictwin::bridges::worker {

struct Options : server::Options {
  bool once = false;       ///< True to end after one run.
  run::Registry registry;  ///< The parts that the worker can build.
  int threads = 1;         ///< The most threads for a run whose records travel in shared memory; other runs use one.
};

/// Serves runs one after another (docs/bridge-protocol.md) until stopped or, with `once`, a single run. Unavailable if
/// it cannot listen, InvalidArgument if it may not listen there without TLS.
absl::Status serve_worker(const Options& options);

}  // namespace fabrictwin::bridges::worker

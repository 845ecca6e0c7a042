// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A worker: a process that simulates partitions of other processes' runs.
#pragma once

#include <stop_token>
#include <string>

#include "absl/status/status.h"
#include "cosim/run/registry.h"

namespace fabrictwin {

struct WorkerOptions {
  std::string listen;  ///< "unix:PATH" or "HOST:PORT"; port 0 takes a free one.
  bool once = false;   ///< End after one run.
  Registry registry;   ///< What it can build.
  int threads = 1;     ///< At most this many threads for a run whose records travel in shared memory; others use one.
  int parent_pid = 0;  ///< If not zero: end when this process, which must be the parent, ends.
  int ready_fd = -1;   ///< If not negative: its address is written here as one line when it listens.
  std::stop_token stop;
};

/// Serves runs one after another (docs/bridge-protocol.md) until stopped, or after one. Errors: Unavailable if it
/// cannot listen.
absl::Status serve_worker(const WorkerOptions& options);

}  // namespace fabrictwin

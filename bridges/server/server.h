// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The common part of all servers of the bridge protocol: listening, reporting readiness, and ending.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>

#include "absl/status/status.h"
#include "bridges/server/options.h"
#include "fabrictwin/v1/bridge.grpc.pb.h"

namespace fabrictwin::bridges::server {

/// Tells a server that its work is done. Thread-safe.
class ServerEnd {
 public:
  void request() {
    const std::lock_guard lock(mutex_);
    requested_ = true;
    changed_.notify_all();
  }
  /// Blocks until request() has been called or `stop` has been requested.
  void wait(const std::stop_token& stop);

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool requested_ = false;
};

/// Serves `service` until `end` or options.stop has been requested. Unavailable if it cannot listen, InvalidArgument if
/// it may not listen there without TLS.
absl::Status serve_bridge(const Options& options, v1::Bridge::Service& service, ServerEnd& end);

/// Makes the kernel end this process when its parent ends. FailedPrecondition if `parent_pid` is not, or no longer, the
/// parent.
absl::Status end_with_parent(int parent_pid);

/// Writes one line to a descriptor that a parent process reads, and closes it.
void say_ready(int fd, const std::string& line);

}  // namespace fabrictwin::bridges::server

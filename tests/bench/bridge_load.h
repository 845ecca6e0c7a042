// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs with next to no simulation in them, so that what is measured is the bridge.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "bridges/caller/local_process.h"

namespace fabrictwin {

enum class BridgeLoad : uint64_t {
  kPingPong = 1,  ///< One record is under way at a time.
  kFlood = 2,     ///< As many records to the worker as go.
};

struct BridgeLoadResult {
  absl::Status status;
  double seconds = 0;     ///< Of the simulation; set-up excluded.
  uint64_t messages = 0;  ///< Both ways.
  uint64_t records = 0;
  uint64_t bytes = 0;
};

/// Runs a load between this process and a worker at `place` ("worker:unix").
BridgeLoadResult run_bridge_load(BridgeLoad load, const std::string& place);

/// A process that answers each message of a Run stream with a small one.
class BareServer {
 public:
  /// `kind` is "unix" or "tcp".
  explicit BareServer(const std::string& kind);
  bool ok() const { return !address_.empty(); }
  const std::string& address() const { return address_; }

 private:
  std::unique_ptr<bridges::caller::PrivateFolder> folder_;
  std::unique_ptr<bridges::caller::LocalProcess> process_;
  std::string address_;
};

/// If this process was started as a worker or bare server, serves and returns the exit code; else -1.
int serve_bridge_load_if_asked(int argc, char** argv);

}  // namespace fabrictwin

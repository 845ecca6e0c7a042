// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of token systems for tests.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cosim/run/place_connector.h"
#include "fabrictwin/v1/report.pb.h"
#include "tests/bridges/token_system.h"

namespace fabrictwin {

struct TokenOutcome {
  absl::Status status;
  v1::Report report;
  std::vector<TransportCounters> transports;  ///< As last seen before the run ended.
};

struct TokenRunOptions {
  std::vector<std::string> uses;  ///< As --use.
  std::vector<std::string> sets;  ///< As --set.
  TokenLoad load;
  int threads = 1;
};

/// A ring of four routers with everything in this process but what `uses` say.
TokenOutcome run_tokens(const TokenRunOptions& options);

}  // namespace fabrictwin

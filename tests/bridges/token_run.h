// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of token systems for tests.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "bridges/caller/bridge_calls.h"
#include "cosim/run/place_connector.h"
#include "fabrictwin/v1/report.pb.h"
#include "tests/bridges/token_system.h"

namespace fabrictwin {

struct TokenOutcome {
  absl::Status status;
  v1::Report report;
  std::vector<run::TransportCounters> transports;  ///< As last seen before the run ended.
  std::vector<v1::PartitionReport> live;           ///< What other places said of theirs just before.
  observe::MetricReports live_metrics;             ///< What workers measured, just before, too.
  std::string waited_for;                          ///< As a progress line has it at the end.
  std::vector<v1::PartitionReport> sampled;        ///< What metrics show of all places at the end.
  v1::PartitionTimeline timeline;                  ///< Of looks in the run, if it was watched, and one at its end.
};

struct TokenRunOptions {
  std::vector<std::string> uses;  ///< As --use.
  std::vector<std::string> sets;  ///< As --set.
  TokenLoad load;
  int threads = 1;
  std::chrono::milliseconds watchdog{30'000};
  bool watched = false;      ///< Other places are asked how long they were busy until all answer, and once more.
  bool share_memory = true;  ///< With places on this host that the run has not started.
  bridges::caller::RankLinks* ranks = nullptr;  ///< Reaches places like "mpi:1".
};

/// A ring of four routers with everything in this process but what `uses` say.
TokenOutcome run_tokens(const TokenRunOptions& options);

/// What runs with two routers in RTL must report wherever these are: all is in one process here, in the same
/// partitions.
const v1::Report& local_token_report();

}  // namespace fabrictwin

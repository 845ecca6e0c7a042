// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the subcommands of `fabrictwin history` do on an open database.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/cli/support/exit_code.h"
#include "dashboards/history/check.h"
#include "dashboards/history/database.h"
#include "dashboards/history/formats/import.h"
#include "dashboards/history/trend.h"

namespace fabrictwin::cli::history {

struct Arguments {
  std::string database;
  bool json = false;
  std::vector<std::string> files;
  dashboards::history::formats::ImportOptions import;
  dashboards::history::ListFilter filter;
  int64_t id = 0;
  std::string base;
  std::string head;
  std::string metric;
  std::string reason;
  dashboards::history::TrendOptions trend;
  dashboards::history::CheckOptions check;
  double least_change = 2;  ///< In per cent.
  std::string format = "csv";
  std::string table;  ///< The file with the rows of a table; empty for none.
  std::string out;
  int64_t keep = 0;
  std::string before;
  bool dry_run = false;
};

/// The results of the files to be added.
absl::StatusOr<std::vector<dashboards::history::Result>> read_results(const Arguments& arguments);
/// Returns what it prints.
absl::StatusOr<std::string> record_results(dashboards::history::Database& database,
                                           const std::vector<dashboards::history::Result>& results, bool json);

/// Each returns what it prints. `code` is the exit code if there is no error: kRegression where one is found.
using Work = absl::StatusOr<std::string>(dashboards::history::Database&, const Arguments&, support::ExitCode& code);

Work list_results;
Work show_result;
Work diff_results;
Work show_trends;
Work check_results;
Work acknowledge_change;
Work export_results;
Work write_site;
Work remove_results;

}  // namespace fabrictwin::cli::history

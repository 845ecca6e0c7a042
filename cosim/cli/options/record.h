// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The options --record and --db of commands that have results.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/cli/support/console.h"

namespace fabrictwin::cli::options {

struct RecordArguments {
  bool record = false;
  std::string database;  ///< Empty for the default.
};

/// $XDG_DATA_HOME/fabrictwin/history.db, or ~/.local/share/fabrictwin/history.db. InvalidArgument if there is no home.
absl::StatusOr<std::string> history_file(const std::string& named);

void add_record_option(CLI::App& command, RecordArguments& arguments);
/// OK if nothing is to be recorded, or it can be: the database takes results, or could be made, which is not done. To
/// be asked before there is something to record.
absl::Status check_record(const RecordArguments& arguments);
/// The history in which the result is put, if it is.
support::NamedFile recorded_file(const RecordArguments& arguments);
/// Records a report that says where it comes from, and logs its number. OK, and nothing is done, if nothing is to be
/// recorded.
absl::Status record(const RecordArguments& arguments, std::string_view report);

}  // namespace fabrictwin::cli::options

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of results, metrics and commits that people write: whether there are such, and which ones were meant.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dashboards/history/database.h"

namespace fabrictwin::dashboards::history {

/// NotFound, with the nearest name that there is, unless there is a result whose name matches `name` and, of those, one
/// with a metric or digest that matches `metric`. Both are patterns of the shell, and empty for all.
absl::Status check_known(const Database& database, const std::string& name, const std::string& metric = {});

/// InvalidArgument if results whose commits begin with `prefix` are of several commits, none of which is called so.
absl::Status check_one_commit(const std::vector<Summary>& results, const std::string& prefix);

/// The full name of the commit that begins with `prefix`; if it is empty, of the newest commit with results whose name
/// matches `name`. NotFound if there is none, InvalidArgument if several begin so.
absl::StatusOr<std::string> find_commit(const Database& database, const std::string& prefix,
                                        const std::string& name = {});

}  // namespace fabrictwin::dashboards::history

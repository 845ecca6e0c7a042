// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One line of a comma-separated table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin::rtl::control {

/// The cells of a line. A cell in quotes may hold commas, and quotes as "". InvalidArgument if a quote is not closed or
/// something follows it.
absl::StatusOr<std::vector<std::string>> split_row(std::string_view line);

}  // namespace fabrictwin::rtl::control

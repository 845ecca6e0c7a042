// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A list of flows in a CSV file: docs/congestion.md.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "workloads/flows/flow.h"

namespace fabrictwin::flows {

/// Reads a list of flows between `hosts` hosts. If `endless`, flows may have neither bytes nor a stop. Errors
/// (NotFound, InvalidArgument) are diagnostics in the file.
absl::StatusOr<FlowList> read_flows(const std::string& file, int32_t hosts, bool endless = false);

}  // namespace fabrictwin::flows

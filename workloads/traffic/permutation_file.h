// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A permutation of hosts from a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin::traffic {

/// Reads the destination of each of `hosts` hosts from a text file; see permutation_file in traffic.proto. Hosts that
/// send nothing have -1. InvalidArgument is a diagnostic at the position in the file: a number that is not a host, two
/// sources of one destination, a host with two destinations, a line unlike the first one, too few or too many lines;
/// NotFound if it cannot be read.
absl::StatusOr<std::vector<int32_t>> read_permutation(const std::string& file, int32_t hosts);

}  // namespace fabrictwin::traffic

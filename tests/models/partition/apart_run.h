// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of models at several places, all of which are in this process: one executor has all of their partitions.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin {

using Sets = std::vector<std::string>;

/// A rule for each part but the first; `part_of` is by router.
std::vector<std::string> rules_of(const std::vector<int>& part_of, int parts);

/// The report of an experiment given as text, changed by `sets`, with rules `uses`. It has what all hosts report, and
/// what parts of a workload say together; its digests, and nothing of links.
absl::StatusOr<v1::Report> run_apart(const std::string& text, const Sets& sets, const std::vector<std::string>& uses);

}  // namespace fabrictwin

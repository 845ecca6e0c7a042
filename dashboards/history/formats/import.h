// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Results from files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "dashboards/history/result.h"
#include "fabrictwin/v1/provenance.pb.h"

namespace fabrictwin::dashboards::history::formats {

/// What a person says of results; it overrides what their file says. Empty fields do not.
struct ImportOptions {
  std::string name;
  std::string commit;
  std::string date;  ///< "2026-03-01T12:00:00Z", or a day of it.
};

/// True if a text is a day, or a moment in UTC: "2026-03-01" or "2026-03-01T12:00:00Z".
bool is_date(const std::string& date);

/// Reads the text of `file`, which has one of these forms:
/// - a report that a command has printed with --json: every number in it is a metric, named by its fields joined by
///   dots; what differs from run to run of the same experiment (wall-clock times) is measured, all else is exact. Lists
///   of links, ranks, partitions, flows and of values over time are left out. Fields of newer versions are kept.
/// - the JSON of Google Benchmark: each repetition is a result, aggregates are left out if there are repetitions;
/// - lines "NAME VALUE UNIT [lower|higher|exact]": what is better, or that any change counts; without it, lower is
///   better unless the unit is a rate ("B/s", "GHz"). UNIT may be "-". A word that begins with # begins a comment.
/// `here` is the provenance of what the file says nothing about. InvalidArgument, "FILE:LINE:COL: error: ...", for
/// mistakes.
absl::StatusOr<std::vector<Result>> import_results(std::string_view text, const std::string& file,
                                                   const ImportOptions& options, const v1::Provenance& here);

/// The result of a command whose report is `json`, and which says itself where it comes from.
absl::StatusOr<Result> import_report(std::string_view json, const std::string& file);

}  // namespace fabrictwin::dashboards::history::formats

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// All values of results in forms of other tools. A history may be larger than memory, so results are read one at a time
// and written at once. No lock on the database is held meanwhile, as what takes the text may be slow: a result that
// another process removes before it was read is NotFound.
#pragma once

#include <span>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "dashboards/history/database.h"

namespace fabrictwin::dashboards::history::formats {

/// Takes the next piece of the text. Its first error ends the export, which returns it.
using Write = absl::FunctionRef<absl::Status(std::string_view)>;

/// A row for each value (RFC 4180): id, name, kind, date, commit, machine, metric, value, unit, better. Digests are
/// rows whose value is a text.
absl::Status export_csv(const Database& database, std::span<const ResultKey> results, Write write);

/// {"results": [...]} with everything that is known of each.
absl::Status export_json(const Database& database, std::span<const ResultKey> results, Write write);

/// OpenMetrics with the dates of results, which Prometheus takes in by `promtool tsdb create-blocks-from openmetrics`:
/// a family fabrictwin_result of gauges with labels name, kind, metric, unit, commit and machine. Of several results of
/// one second with the same labels, the last one remains. Results without a date are left out. Samples with the same
/// labels stand together, so the values of one metric of results with the same name and kind are in memory at a time.
absl::Status export_openmetrics(const Database& database, std::span<const ResultKey> results, Write write);

/// Tables for documents: for each name the medians of the results of its newest commit on one machine, with their
/// robust standard deviations, and the machine and the commit below. The results are in order of dates.
absl::Status export_markdown(const Database& database, std::span<const ResultKey> results, Write write);

}  // namespace fabrictwin::dashboards::history::formats

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// All values of results in forms of other tools.
#pragma once

#include <span>
#include <string>

#include "dashboards/history/result.h"

namespace fabrictwin::dashboards::history::formats {

/// A row for each value (RFC 4180): id, name, kind, date, commit, machine, metric, value, unit, better. Digests are
/// rows whose value is a text.
std::string export_csv(std::span<const Result> results);

/// {"results": [...]} with everything that is known of each.
std::string export_json(std::span<const Result> results);

/// OpenMetrics with the dates of results, which Prometheus takes in by `promtool tsdb create-blocks-from openmetrics`:
/// a family fabrictwin_result of gauges with labels name, kind, metric, unit, commit and machine. Of several results of
/// one second with the same labels, the last one remains. Results without a date are left out.
std::string export_openmetrics(std::span<const Result> results);

/// Tables for documents: for each name the medians of the results of its newest commit on one machine, with their
/// robust standard deviations, and the machine and the commit below. The results are in order of dates.
std::string export_markdown(std::span<const Result> results);

}  // namespace fabrictwin::dashboards::history::formats

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Results, comparisons and trends for people and for scripts. Texts fit 80 columns unless names are long.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dashboards/history/check.h"
#include "dashboards/history/comparison.h"
#include "dashboards/history/database.h"
#include "dashboards/history/result.h"
#include "dashboards/history/trend.h"

namespace fabrictwin::dashboards::history {

/// Two sets of results of a series.
struct SeriesDifference {
  std::string name;  ///< What the newer results are called.
  std::string kind;
  std::string base_name;  ///< Two results that are named may have different names.
  std::string base_kind;
  std::vector<FieldDifference> fields;
  std::vector<Difference> differences;
};

/// A number of a metric with its unit, as in "1.234 us" or "83.5 MB/s".
std::string value_text(double value, const std::string& unit);

/// How much a value has changed, as in "+50.0 %"; "from 0" or "beyond all bounds" where there is no such share.
std::string change_text(double before, double after);

/// What a metric or a digest was before and after, "-" where it is not: the median, or the different values of
/// something exact.
std::pair<std::string, std::string> side_texts(const Difference& difference);

std::string list_text(const std::vector<Summary>& results);
std::string show_text(const Result& result);
/// What differs; what is the same is counted.
std::string diff_text(const std::vector<SeriesDifference>& differences);
std::string trend_text(const std::vector<Trend>& trends);
std::string check_text(const CheckResult& result);

std::string list_json(const std::vector<Summary>& results);
std::string show_json(const Result& result);
std::string diff_json(const std::vector<SeriesDifference>& differences);
std::string trend_json(const std::vector<Trend>& trends);
std::string check_json(const CheckResult& result);

}  // namespace fabrictwin::dashboards::history

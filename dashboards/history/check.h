// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether the newest results are worse than those before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dashboards/history/comparison.h"
#include "dashboards/history/database.h"

namespace fabrictwin::dashboards::history {

struct CheckOptions {
  std::string name;   ///< Results by a pattern of the shell; empty for all.
  std::string head;   ///< The first digits of a commit; empty for that of the newest result of that name.
  std::string base;   ///< Empty for the commit before it, of each series.
  int64_t after = 0;  ///< Only results with a greater number are compared.
  Significance significance;
};

/// Something that is not as it was.
struct Finding {
  std::string series;  ///< The name of its results.
  std::string kind;
  std::string base;  ///< Commits.
  std::string head;
  Difference difference;
  bool by_change_point = false;  ///< Found in the series of commits, since there are too few results of one.
  std::string acknowledged;      ///< The reason why it is expected; empty if it is not.

  /// It stops a merge.
  bool is_regression() const {
    return acknowledged.empty() && (difference.verdict == Verdict::kWorse || difference.verdict == Verdict::kChanged);
  }
};

struct CheckResult {
  std::string head;
  std::vector<Finding> findings;
  size_t series = 0;              ///< Which were compared,
  size_t metrics = 0;             ///< with so many metrics and digests,
  size_t too_few = 0;             ///< of so many of which there were too few results to tell,
  size_t results_needed = 0;      ///< which so many of each commit would be enough for; 0 if there are none of those.
  size_t no_base = 0;             ///< Series with no commit before.
  std::vector<std::string> lost;  ///< Names of series that their last commit has, which others were compared with, and
                                  ///< this one has not.
  size_t machines = 0;            ///< Series whose measured metrics come of different machines.

  bool has_regression() const;
};

/// Compares the results of a commit with those of another one, series by series. Exact metrics and digests are equal or
/// have changed. Measured ones of one machine are tested, those of a series together, if there are enough of them; else
/// a change point (E-divisive means) that begins within the last 10 of 60 results is found, and after the base if that
/// is named. A metric of which there are too few, and which would have changed if it were alone, is a finding that
/// stops nothing. Trees with changes that were not committed have one name, so only their newest result counts for what
/// is exact. Results without a commit are passed over. NotFound if there are no results of a commit, no series of the
/// name or none of that at head, no series that has both a head and a base that are named, or, with a name or a base,
/// no metric or digest of both sides where there are results of both.
absl::StatusOr<CheckResult> check(const Database& database, const CheckOptions& options);

}  // namespace fabrictwin::dashboards::history

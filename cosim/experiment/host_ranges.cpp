// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/host_ranges.h"

#include <algorithm>

#include "cosim/base/text.h"
#include "cosim/experiment/check/topology_reader.h"
#include "fmt/format.h"

namespace fabrictwin::experiment {
namespace {

/// Parses "3" or "0..63".
bool parse_range(std::string_view text, std::pair<int32_t, int32_t>& range) {
  const size_t dots = text.find("..");
  const std::string_view last = dots == std::string_view::npos ? text : text.substr(dots + 2);
  return parse_number(strip(text.substr(0, dots)), range.first) && parse_number(strip(last), range.second) &&
         range.first >= 0 && range.first <= range.second && range.second < kMaxNodes;
}

}  // namespace

absl::StatusOr<HostRanges> parse_host_ranges(std::string_view text) {
  HostRanges ranges;
  for (const std::string_view part : split(text, ",")) {
    std::pair<int32_t, int32_t> range;
    if (!parse_range(strip(part), range)) {
      return absl::InvalidArgumentError(
          fmt::format("'{}' is neither the number of a host nor a range of them; write numbers from 0 and ranges from "
                      "low to high, as in \"0..63,128\"",
                      part));
    }
    ranges.push_back(range);
  }
  HostRanges sorted = ranges;
  std::ranges::sort(sorted);
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].first > sorted[i - 1].second) continue;
    return absl::AlreadyExistsError(fmt::format("host {} is named twice; name each host once", sorted[i].first));
  }
  return ranges;
}

}  // namespace fabrictwin::experiment

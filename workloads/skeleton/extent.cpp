// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/extent.h"

#include <vector>

#include "cosim/base/text.h"
#include "fmt/format.h"

namespace fabrictwin::skeleton {

std::string to_string(const Extent& extent) { return fmt::format("{}x{}x{}", extent[0], extent[1], extent[2]); }

absl::StatusOr<Extent> parse_extent(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, "x");
  Extent extent{};
  bool sound = parts.size() == extent.size();
  for (size_t i = 0; sound && i < extent.size(); ++i) sound = parse_number(parts[i], extent[i]) && extent[i] > 0;
  if (!sound) {
    return absl::InvalidArgumentError(
        fmt::format("'{}' is not three positive numbers as in 16x16x32", text.substr(0, 40)));
  }
  return extent;
}

}  // namespace fabrictwin::skeleton

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/seed_list.h"

#include <string_view>

#include "absl/status/status.h"
#include "cosim/base/text.h"
#include "cosim/study/sweep_axis.h"
#include "fmt/format.h"

namespace fabrictwin::study {

absl::StatusOr<std::vector<uint64_t>> parse_seeds(std::span<const std::string> texts) {
  std::vector<uint64_t> seeds;
  for (const std::string& text : texts) {
    const std::vector<std::string_view> parts = split(text, ":");
    std::vector<uint64_t> numbers(parts.size());
    bool valid = parts.size() <= 3;
    for (size_t i = 0; i < parts.size(); ++i) valid = valid && parse_number(parts[i], numbers[i]);
    if (!valid) {
      return absl::InvalidArgumentError(fmt::format(
          "--seeds: error: \"{}\" is neither a seed nor a range of seeds; write numbers from 0 on, as in 1,2,3, or "
          "FROM:TO[:STEP], as in 1:3",
          text));
    }
    const uint64_t from = numbers.front();
    const uint64_t to = numbers.size() > 1 ? numbers[1] : from;
    const uint64_t step = numbers.size() > 2 ? numbers[2] : 1;
    if (to < from)
      return absl::InvalidArgumentError(
          fmt::format("--seeds: error: \"{}\" ends before it begins; write {}:{}", text, to, from));
    if (step == 0)
      return absl::InvalidArgumentError(fmt::format("--seeds: error: \"{}\" has a step of 0; write 1 or more", text));
    if ((to - from) / step >= kMaxSweepPoints - seeds.size()) {
      return absl::InvalidArgumentError(
          fmt::format("--seeds: error: with \"{}\" there are more than {} seeds; write fewer", text, kMaxSweepPoints));
    }
    for (uint64_t i = 0; i <= (to - from) / step; ++i) seeds.push_back(from + i * step);
  }
  return seeds;
}

}  // namespace fabrictwin::study

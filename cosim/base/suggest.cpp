// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "absl/strings/ascii.h"

namespace fabrictwin {
namespace {

/// Names longer than this are not typing errors; the limit bounds the quadratic work on hostile input.
constexpr size_t kLongestName = 64;
/// The cost of a wrong letter; a letter in the wrong case costs one.
constexpr int kLetter = 4;

int substitution(char a, char b) {
  if (a == b) return 0;
  const bool same_letter =
      absl::ascii_tolower(static_cast<unsigned char>(a)) == absl::ascii_tolower(static_cast<unsigned char>(b));
  return same_letter ? 1 : kLetter;
}

/// Edit distance in which swapping two neighbouring letters is one mistake.
int distance(std::string_view a, std::string_view b) {
  std::vector<int> before_last(b.size() + 1);
  std::vector<int> last(b.size() + 1);
  std::vector<int> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j) * kLetter;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i) * kLetter;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + kLetter, row[j - 1] + kLetter, last[j - 1] + substitution(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + kLetter);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates) {
  if (name.empty() || name.size() > kLongestName) return {};
  std::string_view best;
  int least = 0;
  for (const std::string_view candidate : candidates) {
    const int letters = static_cast<int>(std::max(name.size(), candidate.size()));
    // Short names would be near to everything, so the limit is at least one letter and at most a third of them (half of
    // a unit such as "nsec").
    const int limit = kLetter * std::max(1, letters <= 4 ? letters / 2 : (letters + 2) / 3);
    const int cost = distance(name, candidate);
    if (cost <= limit && (best.empty() || cost < least)) {
      best = candidate;
      least = cost;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates) {
  const std::string_view best = nearest_name(name, candidates);
  return best.empty() ? std::string() : fmt::format(" (did you mean \"{}\"?)", best);
}

}  // namespace fabrictwin

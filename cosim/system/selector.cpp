// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "cosim/base/suggest.h"
#include "cosim/system/element_pattern.h"
#include "cosim/system/plan.h"

namespace fabrictwin::system {
namespace {

/// The most names that a message lists.
constexpr size_t kMaxFamilies = 12;

/// Elements whose names differ only in their numbers.
struct Family {
  std::vector<std::string> names;  ///< The names of the segments.
  std::vector<std::pair<int64_t, int64_t>>
      numbers;  ///< The least and largest number of each segment; -1 if it has none.

  /// The family as text: "qfdb[0..1].switch[1..3]".
  std::string text() const {
    std::string text;
    for (size_t i = 0; i < names.size(); ++i) {
      const auto [low, high] = numbers[i];
      if (i > 0) text += '.';
      text += names[i];
      if (low >= 0) text += low == high ? fmt::format("[{}]", low) : fmt::format("[{}..{}]", low, high);
    }
    return text;
  }
};

/// All families in reverse order of the graph, because users select routers more often than hosts.
std::vector<Family> families_of(const SystemGraph& graph) {
  std::vector<Family> families;
  for (const Element& element : graph.elements) {
    const std::vector<NameSegment> segments = name_segments(element.name);
    const auto same = [&](const Family& family) {
      return std::equal(segments.begin(), segments.end(), family.names.begin(), family.names.end(),
                        [](const NameSegment& segment, const std::string& name) { return segment.name == name; });
    };
    // Elements of a family are consecutive, except for those of one board.
    auto family = std::find_if(families.rbegin(), families.rend(), same);
    if (family == families.rend()) {
      Family fresh;
      for (const NameSegment& segment : segments) {
        fresh.names.emplace_back(segment.name);
        fresh.numbers.emplace_back(segment.number, segment.number);
      }
      families.push_back(std::move(fresh));
      continue;
    }
    for (size_t i = 0; i < segments.size(); ++i) {
      auto& [low, high] = family->numbers[i];
      low = std::min(low, segments[i].number);
      high = std::max(high, segments[i].number);
    }
  }
  std::reverse(families.begin(), families.end());
  return families;
}

/// The existing names: "router[0..7] and host[0..7]"; only the first of them if there are many.
std::string existing(const SystemGraph& graph) {
  const std::vector<Family> families = families_of(graph);
  std::string text;
  const size_t shown = std::min(families.size(), kMaxFamilies);
  for (size_t i = 0; i < shown; ++i) {
    if (i > 0) text += i + 1 == families.size() ? " and " : ", ";
    text += families[i].text();
  }
  if (shown < families.size()) text += fmt::format(" and {} more names", families.size() - shown);
  return text;
}

/// Explains positions, if the pattern has one and elements of that name have positions.
std::string positions(const SystemGraph& graph, const ElementPattern& pattern) {
  const std::vector<ElementPattern::Segment>& segments = pattern.segments();
  const auto last = std::find_if(graph.elements.rbegin(), graph.elements.rend(), [&](const Element& element) {
    return pattern.has_shape_of(element) && !element.position.empty();
  });
  if (segments.size() != 1 || segments[0].numbers.size() < 2 || last == graph.elements.rend()) return {};
  return fmt::format("; the last position is {}[{}]", segments[0].name, last->position);
}

absl::Status malformed(std::string_view part, const SystemGraph& graph) {
  const std::vector<Family> families = families_of(graph);
  const auto numbered =
      std::find_if(families.begin(), families.end(), [](const Family& family) { return family.numbers[0].first >= 0; });
  const std::string name = numbered == families.end() ? "router" : numbered->names[0];
  return absl::InvalidArgumentError(
      fmt::format("\"{0}\" is not a selector; write \"*\", \"{1}[*]\", \"{1}[3]\", \"{1}[0..3]\" or several "
                  "with commas; the elements are {2}",
                  part, name, existing(graph)));
}

/// The pattern with the range of segment `which` replaced.
std::string with_number(const ElementPattern& pattern, size_t which, int64_t low, int64_t high) {
  std::string text;
  for (size_t i = 0; i < pattern.segments().size(); ++i) {
    const ElementPattern::Segment& segment = pattern.segments()[i];
    if (i > 0) text += '.';
    text += segment.name;
    if (segment.numbers.empty()) continue;
    const auto range = i == which ? ElementPattern::Range{low, high} : segment.numbers[0];
    text += range.any()               ? "[*]"
            : range.low == range.high ? fmt::format("[{}]", range.low)
                                      : fmt::format("[{}..{}]", range.low, range.high);
  }
  return text;
}

/// Refuses names of no element, and ranges that are empty or exceed the existing numbers.
absl::Status check_pattern(const SystemGraph& graph, std::string_view part, const ElementPattern& pattern) {
  const std::vector<Family> families = families_of(graph);
  std::vector<std::string_view> names;
  for (const Family& family : families) {
    if (std::find(names.begin(), names.end(), family.names[0]) == names.end()) names.push_back(family.names[0]);
  }
  const std::vector<ElementPattern::Segment>& segments = pattern.segments();
  if (segments[0].name != "*" && std::find(names.begin(), names.end(), segments[0].name) == names.end()) {
    return absl::InvalidArgumentError(fmt::format("there is no element \"{}\"{}; the elements are {}", part,
                                                  did_you_mean(segments[0].name, names), existing(graph)));
  }
  for (size_t i = 0; i < segments.size(); ++i) {
    for (const ElementPattern::Range& range : segments[i].numbers) {
      if (range.low <= range.high) continue;
      return absl::InvalidArgumentError(
          fmt::format("\"{}\" is an empty range; write the smaller number first, as in {}", part,
                      with_number(pattern, i, range.high, range.low)));
    }
  }
  const auto shape = std::find_if(graph.elements.begin(), graph.elements.end(),
                                  [&](const Element& element) { return pattern.has_shape_of(element); });
  if (shape == graph.elements.end()) {
    // This is a name without its number, or a number without its name.
    if (segments.size() == 1) return malformed(part, graph);
    return absl::InvalidArgumentError(fmt::format("there is no {}; the elements are {}", part, existing(graph)));
  }
  for (const Family& family : families) {
    if (family.names.size() != segments.size()) continue;
    for (size_t i = 0; i < segments.size(); ++i) {
      if (segments[i].name == "*" || segments[i].name != family.names[i] || segments[i].numbers.size() != 1) continue;
      const ElementPattern::Range& range = segments[i].numbers[0];
      const auto [low, high] = family.numbers[i];
      if (range.any() || (low <= range.low && range.high <= high)) continue;
      const int64_t missing = range.high > high ? range.high : range.low;
      return absl::InvalidArgumentError(fmt::format("there is no {}; the elements are {}",
                                                    with_number(pattern, i, missing, missing), existing(graph)));
    }
  }
  return absl::OkStatus();
}

/// Adds the elements that one part of a selector names.
absl::Status select_part(const SystemGraph& graph, std::string_view part, std::vector<ElementId>& selected) {
  const std::optional<ElementPattern> pattern = ElementPattern::parse(part);
  if (!pattern.has_value()) return malformed(part, graph);
  if (absl::Status status = check_pattern(graph, part, *pattern); !status.ok()) return status;
  const size_t before = selected.size();
  for (size_t i = 0; i < graph.elements.size(); ++i) {
    if (pattern->matches(graph.elements[i])) selected.push_back(static_cast<ElementId>(i));
  }
  if (selected.size() > before) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("there is no {}; the elements are {}{}", part, existing(graph), positions(graph, *pattern)));
}

}  // namespace

absl::StatusOr<std::vector<ElementId>> select_elements(const SystemGraph& graph, std::string_view selector) {
  std::vector<ElementId> selected;
  const std::optional<std::vector<std::string>> parts = selector_parts(selector);
  if (!parts.has_value()) return malformed(selector, graph);
  for (const std::string& part : *parts) {
    if (const absl::Status status = select_part(graph, part, selected); !status.ok()) return status;
    // Parts may repeat elements; the selection remains a set no larger than the system.
    std::sort(selected.begin(), selected.end());
    selected.erase(std::unique(selected.begin(), selected.end()), selected.end());
  }
  return selected;
}

}  // namespace fabrictwin::system

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cosim/base/suggest.h"
#include "cosim/base/text.h"
#include "cosim/run/plan.h"

namespace fabrictwin {
namespace {

struct Kind {
  std::string_view name;
  ElementKind kind;
};
constexpr Kind kKinds[] = {{"router", ElementKind::kRouter}, {"host", ElementKind::kHost}};

/// The elements of one kind by node number.
std::vector<ElementId> elements_of(const SystemGraph& graph, ElementKind kind) {
  std::vector<ElementId> ids;
  for (size_t i = 0; i < graph.elements.size(); ++i) {
    if (graph.elements[i].kind == kind) ids.push_back(static_cast<ElementId>(i));
  }
  return ids;
}

/// "router[0..7] and host[0..7]".
std::string existing(const SystemGraph& graph) {
  std::string text;
  for (const Kind& kind : kKinds) {
    const size_t count = elements_of(graph, kind.kind).size();
    if (count == 0) continue;
    if (!text.empty()) text += " and ";
    text += count == 1 ? fmt::format("{}[0]", kind.name) : fmt::format("{}[0..{}]", kind.name, count - 1);
  }
  return text;
}

absl::Status malformed(std::string_view part, const SystemGraph& graph) {
  return absl::InvalidArgumentError(
      fmt::format("\"{}\" is not a selector; write \"*\", \"router[*]\", \"router[3]\", \"router[0..3]\" or several "
                  "with commas; the elements are {}",
                  part, existing(graph)));
}

/// Adds what one part of a selector names.
absl::Status select_part(const SystemGraph& graph, std::string_view part, std::vector<ElementId>& selected) {
  if (part == "*") {
    for (size_t i = 0; i < graph.elements.size(); ++i) selected.push_back(static_cast<ElementId>(i));
    return absl::OkStatus();
  }
  const size_t bracket = part.find('[');
  const std::string_view name = part.substr(0, bracket);
  const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const Kind& k) { return k.name == name; });
  if (kind == std::end(kKinds) && !name.empty()) {
    static constexpr std::string_view kNames[] = {kKinds[0].name, kKinds[1].name};
    return absl::InvalidArgumentError(fmt::format("there is no element \"{}\"{}; the elements are {}", part,
                                                  did_you_mean(name, kNames), existing(graph)));
  }
  if (kind == std::end(kKinds) || bracket == std::string_view::npos || part.back() != ']')
    return malformed(part, graph);

  const std::vector<ElementId> ids = elements_of(graph, kind->kind);
  const std::string_view range = part.substr(bracket + 1, part.size() - bracket - 2);
  if (range == "*") {
    selected.insert(selected.end(), ids.begin(), ids.end());
    return absl::OkStatus();
  }
  const size_t dots = range.find("..");
  const std::string_view low_text = range.substr(0, dots);
  const std::string_view high_text = dots == std::string_view::npos ? low_text : range.substr(dots + 2);
  int64_t low = 0;
  int64_t high = 0;
  if (!parse_number(low_text, low) || !parse_number(high_text, high) || low < 0) return malformed(part, graph);
  if (low > high) {
    return absl::InvalidArgumentError(fmt::format(
        "\"{}\" is an empty range; write the smaller number first, as in {}[{}..{}]", part, kind->name, high, low));
  }
  if (high >= static_cast<int64_t>(ids.size())) {
    return absl::InvalidArgumentError(
        fmt::format("there is no {}[{}]; the elements are {}", kind->name, high, existing(graph)));
  }
  selected.insert(selected.end(), ids.begin() + low, ids.begin() + high + 1);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<ElementId>> select_elements(const SystemGraph& graph, std::string_view selector) {
  std::vector<ElementId> selected;
  for (const std::string_view part : split(selector, ",")) {
    const std::string_view trimmed = strip(part);
    if (trimmed.empty()) return malformed(selector, graph);
    if (const absl::Status status = select_part(graph, trimmed, selected); !status.ok()) return status;
    // Parts may repeat; what is selected stays a set of the system's size.
    std::sort(selected.begin(), selected.end());
    selected.erase(std::unique(selected.begin(), selected.end()), selected.end());
  }
  return selected;
}

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One part of a selector: a pattern for names of elements.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/run/system_graph.h"

namespace fabrictwin {

/// "router[3]", "qfdb[0..1].switch[*]", "mpsoc[0.1.2]", "*". Segments are separated by dots; each has a name and, in
/// brackets, a number, a range, "*", or the numbers of a position separated by dots.
class ElementPattern {
 public:
  /// Numbers from `low` to `high`.
  struct Range {
    int64_t low = 0;
    int64_t high = std::numeric_limits<int64_t>::max();  ///< As it is for "*".
    bool any() const { return high == std::numeric_limits<int64_t>::max(); }
    bool contains(int64_t number) const { return low <= number && number <= high; }
  };
  struct Segment {
    std::string name;            ///< "*" matches every name and number.
    std::vector<Range> numbers;  ///< Of a position more than one; none without brackets.
  };

  /// Nothing if the text is not a pattern.
  static std::optional<ElementPattern> parse(std::string_view text);

  const std::vector<Segment>& segments() const { return segments_; }
  bool matches(const Element& element) const;
  /// Whether an element has these names, whatever its numbers.
  bool has_shape_of(const Element& element) const;

 private:
  std::vector<Segment> segments_;
};

/// A name taken apart.
struct NameSegment {
  std::string_view name;
  int64_t number = -1;  ///< -1 if it has none.
};
/// The segments of an element's name ("qfdb[3].switch[2]").
std::vector<NameSegment> name_segments(std::string_view name);

}  // namespace fabrictwin

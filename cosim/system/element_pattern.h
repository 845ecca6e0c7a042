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

#include "cosim/system/system_graph.h"

namespace fabrictwin::system {

/// "router[3]", "qfdb[0..1].switch[*]", "mpsoc[0.1.2]", "*". Segments are separated by dots; each has a name and, in
/// brackets, a number, a range, "*", or the numbers of a position separated by dots.
class ElementPattern {
 public:
  /// Numbers from `low` to `high`.
  struct Range {
    int64_t low = 0;
    int64_t high = std::numeric_limits<int64_t>::max();  ///< The default is the value for "*".
    bool any() const { return high == std::numeric_limits<int64_t>::max(); }
    bool contains(int64_t number) const { return low <= number && number <= high; }
  };
  struct Segment {
    std::string name;            ///< "*" matches any name and number.
    std::vector<Range> numbers;  ///< Several for a position; empty without brackets.
  };

  /// Parses a pattern; nullopt if the text is not one.
  static std::optional<ElementPattern> parse(std::string_view text);

  const std::vector<Segment>& segments() const { return segments_; }
  bool matches(const Element& element) const;
  /// True if the element's segments have the names of this pattern; their numbers are ignored.
  bool has_shape_of(const Element& element) const;

 private:
  std::vector<Segment> segments_;
};

/// One segment of an element's name.
struct NameSegment {
  std::string_view name;
  int64_t number = -1;  ///< -1 if it has none.
};
/// The comma-separated parts of a selector. A list in brackets stands for one part for each of its entries, in order:
/// "router[6,0..2],host[1]" has the parts "router[6]", "router[0..2]" and "host[1]". Returns nullopt if an entry or a
/// part is empty, or if lists in several segments make more parts than any system needs.
std::optional<std::vector<std::string>> selector_parts(std::string_view selector);

/// The segments of an element's name ("qfdb[3].switch[2]").
std::vector<NameSegment> name_segments(std::string_view name);

}  // namespace fabrictwin::system

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/element_pattern.h"

#include <utility>

#include "cosim/base/text.h"

namespace fabrictwin::system {
namespace {

/// Calls `visit` with each part of `text` between dots; dots within brackets, and two dots, do not separate.
template <typename Visit>
void split_at_dots(std::string_view text, Visit visit) {
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']') --depth;
    if (text[i] != '.' || depth > 0) continue;
    if (i + 1 < text.size() && text[i + 1] == '.') {
      ++i;
      continue;
    }
    visit(text.substr(begin, i - begin));
    begin = i + 1;
  }
  visit(text.substr(begin));
}

std::optional<ElementPattern::Range> parse_range(std::string_view text) {
  ElementPattern::Range range;
  if (text == "*") return range;
  const size_t dots = text.find("..");
  const std::string_view low = text.substr(0, dots);
  const std::string_view high = dots == std::string_view::npos ? low : text.substr(dots + 2);
  if (!parse_number(low, range.low) || !parse_number(high, range.high) || range.low < 0) return std::nullopt;
  return range;
}

std::optional<ElementPattern::Segment> parse_segment(std::string_view text) {
  ElementPattern::Segment segment;
  const size_t bracket = text.find('[');
  segment.name = std::string(text.substr(0, bracket));
  if (segment.name.empty() || segment.name.find(']') != std::string::npos) return std::nullopt;
  if (bracket == std::string_view::npos) return segment;
  if (text.back() != ']') return std::nullopt;
  bool good = true;
  split_at_dots(text.substr(bracket + 1, text.size() - bracket - 2), [&](std::string_view number) {
    const auto range = parse_range(number);
    good = good && range.has_value();
    if (range.has_value()) segment.numbers.push_back(*range);
  });
  if (!good) return std::nullopt;
  return segment;
}

/// The most parts to which the lists of one part may expand.
constexpr size_t kMaxParts = size_t{1} << 16;

/// The parts of `text` between commas that are not within brackets, without space around them.
std::vector<std::string_view> split_outside_brackets(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']') --depth;
    if (text[i] != ',' || depth > 0) continue;
    parts.push_back(strip(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  parts.push_back(strip(text.substr(begin)));
  return parts;
}

/// One part with each combination of the entries of its lists; false if an entry is empty or there are too many.
bool expand_lists(std::string_view part, std::vector<std::string>& expanded) {
  std::vector<std::string> texts = {""};
  while (!part.empty()) {
    const size_t open = part.find('[');
    const size_t close = part.find(']', open);
    // A part without a list, or one that is not a pattern, remains unchanged.
    const size_t plain = close == std::string_view::npos ? part.size() : open + 1;
    for (std::string& text : texts) text += part.substr(0, plain);
    part.remove_prefix(plain);
    if (part.empty()) break;
    const std::vector<std::string_view> entries = split(part.substr(0, close - plain), ",");
    if (entries.size() * texts.size() > kMaxParts) return false;
    std::vector<std::string> longer;
    for (const std::string& text : texts) {
      for (const std::string_view entry : entries) {
        if (strip(entry).empty()) return false;
        longer.push_back(text + std::string(strip(entry)));
      }
    }
    texts = std::move(longer);
    part.remove_prefix(close - plain);
  }
  expanded.insert(expanded.end(), texts.begin(), texts.end());
  return true;
}

/// True if the numbers match a position such as "0.1.2".
bool matches_position(const std::vector<ElementPattern::Range>& numbers, std::string_view position) {
  size_t matched = 0;
  bool good = !position.empty();
  split_at_dots(position, [&](std::string_view part) {
    int64_t number = 0;
    good = good && matched < numbers.size() && parse_number(part, number) && numbers[matched].contains(number);
    ++matched;
  });
  return good && matched == numbers.size();
}

}  // namespace

std::vector<NameSegment> name_segments(std::string_view name) {
  std::vector<NameSegment> segments;
  split_at_dots(name, [&](std::string_view part) {
    NameSegment segment;
    const size_t bracket = part.find('[');
    segment.name = part.substr(0, bracket);
    if (bracket != std::string_view::npos)
      parse_number(part.substr(bracket + 1, part.size() - bracket - 2), segment.number);
    segments.push_back(segment);
  });
  return segments;
}

std::optional<std::vector<std::string>> selector_parts(std::string_view selector) {
  std::vector<std::string> parts;
  for (const std::string_view part : split_outside_brackets(selector)) {
    if (part.empty() || !expand_lists(part, parts)) return std::nullopt;
  }
  return parts;
}

std::optional<ElementPattern> ElementPattern::parse(std::string_view text) {
  ElementPattern pattern;
  bool good = true;
  split_at_dots(text, [&](std::string_view part) {
    auto segment = parse_segment(part);
    good = good && segment.has_value();
    if (segment.has_value()) pattern.segments_.push_back(*std::move(segment));
  });
  if (!good) return std::nullopt;
  return pattern;
}

bool ElementPattern::has_shape_of(const Element& element) const {
  if (segments_.size() == 1 && segments_[0].name == "*") return true;
  const std::vector<NameSegment> names = name_segments(element.name);
  if (names.size() != segments_.size()) return false;
  for (size_t i = 0; i < names.size(); ++i) {
    if (segments_[i].name == "*") continue;
    if (segments_[i].name != names[i].name || segments_[i].numbers.empty() != (names[i].number < 0)) return false;
  }
  return true;
}

bool ElementPattern::matches(const Element& element) const {
  if (!has_shape_of(element)) return false;
  if (segments_.size() == 1 && segments_[0].name == "*") return true;
  const std::vector<NameSegment> names = name_segments(element.name);
  for (size_t i = 0; i < names.size(); ++i) {
    const std::vector<Range>& numbers = segments_[i].numbers;
    if (segments_[i].name == "*" || numbers.empty()) continue;
    if (numbers.size() == 1 ? !numbers[0].contains(names[i].number) : !matches_position(numbers, element.position))
      return false;
  }
  return true;
}

}  // namespace fabrictwin::system

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/text_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <string_view>

#include "cosim/base/text.h"

namespace fabrictwin::report {
namespace {

constexpr size_t kTableWidth = 80;
constexpr size_t kBetween = 2;
/// Longer ones may be broken at their dots.
constexpr size_t kLongName = 40;
/// The text after which the name of a link may be broken, besides spaces.
constexpr std::string_view kArrow = "->";
constexpr std::array<std::string_view, 10> kUnitWords = {"s", "ms", "us", "ns", "ps", "fs", "B", "KiB", "MiB", "GiB"};

/// How many columns of a terminal a text takes: its characters in UTF-8, each of which takes one.
size_t text_columns(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Where a dot between names ends, as in "traffic.latency"; npos if there is none. Decimal points are none.
size_t end_of_name(std::string_view cell) {
  for (size_t dot = cell.find('.', 1); dot != std::string_view::npos; dot = cell.find('.', dot + 1)) {
    const auto before = static_cast<unsigned char>(cell[dot - 1]);
    const auto after = static_cast<unsigned char>(dot + 1 < cell.size() ? cell[dot + 1] : ' ');
    if ((std::isalpha(before) != 0 || before == ']') && std::isalpha(after) != 0) return dot + 1;
  }
  return std::string_view::npos;
}

/// The parts of a cell between which a line may end. Spaces belong to the part before them.
std::vector<std::string_view> parts_of(std::string_view cell) {
  std::vector<std::string_view> parts;
  const bool dots = cell.size() > kLongName;
  while (!cell.empty()) {
    size_t space = cell.find(' ');
    // A percent sign stays with its number.
    while (space != std::string_view::npos && cell.substr(space + 1, 1) == "%") space = cell.find(' ', space + 1);
    const size_t arrow = cell.find(kArrow);
    size_t end = std::min({space == std::string_view::npos ? cell.size() : space + 1,
                           arrow == std::string_view::npos ? cell.size() : arrow + kArrow.size(),
                           dots ? std::min(end_of_name(cell), cell.size()) : cell.size()});
    while (end < cell.size() && cell[end] == ' ') ++end;
    parts.push_back(cell.substr(0, end));
    cell.remove_prefix(end);
  }
  return parts;
}

std::string_view without_space(std::string_view part) { return part.substr(0, part.find_last_not_of(' ') + 1); }

/// The lines of a cell in a column of this width.
std::vector<std::string> lines_of(const std::string& cell, size_t width) {
  if (text_columns(cell) <= width) return {cell};
  std::vector<std::string> lines;
  std::string line;
  for (const std::string_view part : parts_of(cell)) {
    if (!line.empty() && text_columns(line) + text_columns(without_space(part)) > width) {
      lines.emplace_back(without_space(line));
      line.clear();
    }
    line += part;
  }
  lines.emplace_back(without_space(line));
  return lines;
}

/// A percent sign and units stay with their number.
bool stays_with_number(std::string_view before, std::string_view word) {
  if (word.starts_with('%')) return true;
  if (before.empty() || std::isdigit(static_cast<unsigned char>(before.back())) == 0) return false;
  const std::string_view unit = word.substr(0, word.find_last_not_of(",.;:)") + 1);
  return std::ranges::find(kUnitWords, unit) != kUnitWords.end();
}

/// Such lines as those of wrapped(), which end between two parts.
std::string lines_of_parts(std::string_view begin, size_t column, const std::vector<std::string_view>& parts) {
  std::string lines(begin);
  size_t used = text_columns(begin);
  bool first = true;
  for (const std::string_view part : parts) {
    const size_t needed = text_columns(part) + (first ? 0 : 1);
    if (used + needed > kTableWidth && !first) {
      lines += "\n";
      used = 0;
      first = true;
    }
    const size_t spaces = !first ? 1 : column > used ? column - used : used > 0 ? 1 : 0;
    lines.append(spaces, ' ');
    lines += part;
    used += spaces + text_columns(part);
    first = false;
  }
  return lines + "\n";
}

size_t sum_of(const std::vector<size_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), kBetween * (widths.size() - 1));
}

}  // namespace

std::string wrapped(std::string_view begin, size_t column, std::string_view text) {
  std::vector<std::string_view> parts;
  for (const std::string_view word : split(text, " ")) {
    if (!parts.empty() && stays_with_number(parts.back(), word)) {
      parts.back() = {parts.back().data(), static_cast<size_t>(word.data() + word.size() - parts.back().data())};
    } else {
      parts.push_back(word);
    }
  }
  return lines_of_parts(begin, column, parts);
}

std::string wrapped_list(std::string_view begin, size_t column, std::string_view text) {
  std::vector<std::string_view> parts;
  for (size_t comma = text.find(", "); comma != std::string_view::npos; comma = text.find(", ")) {
    parts.push_back(text.substr(0, comma + 1));
    text.remove_prefix(comma + 2);
  }
  parts.push_back(text);
  return lines_of_parts(begin, column, parts);
}

bool TextTable::left(size_t column) const { return std::find(left_.begin(), left_.end(), column) != left_.end(); }

size_t TextTable::width(size_t column, size_t first, bool whole) const {
  size_t most = 0;
  for (size_t row = first; row < rows_.size(); ++row) {
    if (column >= rows_[row].size()) continue;
    const std::string& cell = rows_[row][column];
    if (whole) {
      most = std::max(most, text_columns(cell));
      continue;
    }
    for (const std::string_view part : parts_of(cell)) most = std::max(most, text_columns(without_space(part)));
  }
  return most;
}

// Computes the widths of the columns, which are no less than their parts need.
std::vector<size_t> TextTable::fit(const std::vector<size_t>& columns, size_t limit) const {
  std::vector<size_t> widths;
  for (const size_t column : columns) widths.push_back(width(column, 0, true));
  if (sum_of(widths) <= limit) return widths;
  for (size_t i = 0; i < columns.size(); ++i) {
    const size_t least = width(columns[i], 0, false);
    widths[i] = std::max(least, width(columns[i], 1, true));
  }
  // Texts may have several lines, the longest first; numbers with their units may not.
  std::vector<size_t> texts;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (left(columns[i])) texts.push_back(i);
  }
  std::stable_sort(texts.begin(), texts.end(), [&](size_t a, size_t b) { return widths[a] > widths[b]; });
  for (const size_t i : texts) {
    const size_t sum = sum_of(widths);
    if (sum <= limit) break;
    const size_t excess = sum - limit;
    widths[i] = std::max(width(columns[i], 0, false), widths[i] > excess ? widths[i] - excess : 0);
  }
  return widths;
}

std::string TextTable::block(const std::vector<size_t>& columns, size_t indent) const {
  const std::vector<size_t> widths = fit(columns, kTableWidth - std::min(indent, kTableWidth));
  std::string text;
  for (const std::vector<std::string>& row : rows_) {
    std::vector<std::vector<std::string>> cells;
    size_t height = 1;
    for (size_t i = 0; i < columns.size() && columns[i] < row.size(); ++i) {
      cells.push_back(lines_of(row[columns[i]], widths[i]));
      height = std::max(height, cells.back().size());
    }
    const bool header = &row == &rows_.front();
    for (size_t k = 0; k < height; ++k) {
      std::string line(indent, ' ');
      for (size_t i = 0; i < cells.size(); ++i) {
        // Headers are aligned to the bottom, just above their columns; other cells begin on the first line.
        const size_t above = header ? height - cells[i].size() : 0;
        const std::string cell = k >= above && k - above < cells[i].size() ? cells[i][k - above] : std::string();
        const std::string padding(widths[i] - std::min(widths[i], text_columns(cell)), ' ');
        if (i > 0) line += std::string(kBetween, ' ');
        line += left(columns[i]) ? cell + padding : padding + cell;
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
  }
  return text;
}

std::string TextTable::text(size_t indent) const {
  if (empty()) return {};
  const size_t limit = kTableWidth - std::min(indent, kTableWidth);
  const size_t count = rows_.front().size();
  std::vector<size_t> keys(std::min(keys_, count));
  std::iota(keys.begin(), keys.end(), size_t{0});
  std::string text;
  std::vector<size_t> columns = keys;
  for (size_t column = keys.size(); column < count; ++column) {
    columns.push_back(column);
    if (columns.size() == keys.size() + 1 || sum_of(fit(columns, limit)) <= limit) continue;
    columns.pop_back();
    text += block(columns, indent) + "\n";
    columns = keys;
    columns.push_back(column);
  }
  return text + block(columns, indent);
}

}  // namespace fabrictwin::report

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/source_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"

namespace fabrictwin::experiment {
namespace {

/// The most columns of a line that are shown; a longer line is cut on both sides of the caret.
constexpr size_t kShownColumns = 160;
constexpr int kTabWidth = 8;

bool is_name(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_space(char c) { return absl::ascii_isspace(static_cast<unsigned char>(c)); }
/// True for the bytes of a UTF-8 character after its first, which take no column of the terminal.
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::string format_diagnostic(const SourceLocation& location, std::string_view message) {
  std::string text = fmt::format("{}:{}:{}: error: {}", location.file, location.line, location.column, message);
  std::string_view line = location.line_text;
  size_t caret = std::min(static_cast<size_t>(std::max(location.column - 1, 0)), line.size());
  if (line.size() > kShownColumns) {
    size_t from = caret > kShownColumns / 2 ? caret - kShownColumns / 2 : 0;
    while (from < caret && is_continuation(line[from])) ++from;
    line = line.substr(from, kShownColumns);
    caret -= from;
  }
  std::string marker;
  for (size_t i = 0; i < caret; ++i) {
    if (is_continuation(line[i])) continue;
    marker.push_back(line[i] == '\t' ? '\t' : ' ');
  }
  std::string shown(line);
  // Control characters of a hostile file stay out of the terminal.
  for (char& c : shown) {
    if (c != '\t' && absl::ascii_iscntrl(static_cast<unsigned char>(c))) c = ' ';
  }
  return fmt::format("{}\n{}\n{}^", text, shown, marker);
}

SourceText::SourceText(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  line_starts_.push_back(0);
  for (size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  }
}

SourceLocation SourceText::location(size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const size_t line = static_cast<size_t>(after - line_starts_.begin()) - 1;
  const size_t start = line_starts_[line];
  size_t end = line + 1 < line_starts_.size() ? line_starts_[line + 1] - 1 : text_.size();
  if (end > start && text_[end - 1] == '\r') --end;
  SourceLocation found;
  found.file = name_;
  found.line_text = text_.substr(start, end - start);
  found.line = static_cast<int32_t>(line) + 1;
  found.column = static_cast<int32_t>(offset - start) + 1;
  return found;
}

size_t SourceText::offset(int line, int column) const {
  if (line < 0) return 0;
  if (static_cast<size_t>(line) >= line_starts_.size()) return text_.size();
  size_t at = line_starts_[line];
  for (int passed = 0; passed < column && at < text_.size() && text_[at] != '\n'; ++at) {
    passed += text_[at] == '\t' ? kTabWidth - passed % kTabWidth : 1;
  }
  return at;
}

size_t SourceText::last_byte() const {
  const size_t last = text_.find_last_not_of(" \t\r\n");
  return last == std::string::npos ? 0 : last;
}

size_t SourceText::last_before(size_t offset, std::string_view word) const {
  if (offset == 0 || word.empty()) return offset;
  const size_t found = text_.rfind(word, offset - 1);
  return found == std::string::npos ? offset : found;
}

size_t SourceText::skip_space(size_t at) const {
  while (at < text_.size()) {
    if (text_[at] == '#') {
      while (at < text_.size() && text_[at] != '\n') ++at;
    } else if (is_space(text_[at])) {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

size_t SourceText::skip_value(size_t at) const {
  int depth = 0;
  while (at < text_.size()) {
    const char c = text_[at];
    if (c == '"' || c == '\'') {
      for (++at; at < text_.size() && text_[at] != c && text_[at] != '\n'; ++at) {
        if (text_[at] == '\\') ++at;
      }
      ++at;
    } else if (c == '#') {
      at = skip_space(at);
    } else if (c == '{' || c == '<' || c == '[') {
      ++depth;
      ++at;
    } else if (depth == 0 && (c == ',' || c == ']')) {
      break;
    } else {
      if (c == '}' || c == '>' || c == ']') --depth;
      ++at;
    }
  }
  return std::min(at, text_.size());
}

std::vector<size_t> SourceText::value_offsets(size_t offset) const {
  size_t at = offset;
  while (at < text_.size() && is_name(text_[at])) ++at;
  at = skip_space(at);
  if (at < text_.size() && text_[at] == ':') at = skip_space(at + 1);
  if (at >= text_.size() || text_[at] != '[') return {at};
  std::vector<size_t> offsets;
  at = skip_space(at + 1);
  while (at < text_.size() && text_[at] != ']') {
    offsets.push_back(at);
    at = skip_value(at);
    if (at < text_.size() && text_[at] == ',') at = skip_space(at + 1);
  }
  return offsets;
}

}  // namespace fabrictwin::experiment

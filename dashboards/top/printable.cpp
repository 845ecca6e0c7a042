// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/top/printable.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "cosim/base/text.h"

namespace fabrictwin::dashboards::top {
namespace {

constexpr size_t kLeastWidth = 8;
constexpr std::string_view kGap = "..";

/// The length of the well-formed UTF-8 character at the beginning of a text, or 0.
size_t character_length(std::string_view text) {
  for (size_t length = 1; length <= std::min<size_t>(4, text.size()); ++length)
    if (is_utf8(text.substr(0, length))) return length;
  return 0;
}

/// The code point of a well-formed character.
uint32_t code_point(std::string_view character) {
  constexpr uint8_t kFirstBits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  uint32_t code = static_cast<uint8_t>(character.front()) & kFirstBits[character.size()];
  for (const char c : character.substr(1)) code = (code << 6) | (static_cast<uint8_t>(c) & 0x3f);
  return code;
}

bool is_shown(uint32_t code) {
  // Controls of ASCII and Latin-1; marks without width and of direction; separators of lines; byte order mark.
  constexpr std::pair<uint32_t, uint32_t> kHidden[] = {{0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},
                                                       {0x61c, 0x61c},   {0x200b, 0x200f}, {0x2028, 0x202e},
                                                       {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xe0000, 0xe007f}};
  return std::none_of(std::begin(kHidden), std::end(kHidden),
                      [code](const auto& range) { return code >= range.first && code <= range.second; });
}

/// The characters to show, one by one.
std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> shown;
  while (!text.empty()) {
    const size_t length = character_length(text);
    const std::string_view character = text.substr(0, std::max<size_t>(1, length));
    shown.push_back(length > 0 && is_shown(code_point(character)) ? character : std::string_view("?"));
    text.remove_prefix(character.size());
  }
  return shown;
}

std::string joined(const std::vector<std::string_view>& all, size_t from, size_t to) {
  std::string text;
  for (size_t i = from; i < to; ++i) text += all[i];
  return text;
}

}  // namespace

std::string printable(std::string_view text) {
  const std::vector<std::string_view> all = characters(text);
  return joined(all, 0, all.size());
}

std::string shortened(std::string_view text, size_t width) {
  const std::vector<std::string_view> all = characters(text);
  width = std::max(width, kLeastWidth);
  if (all.size() <= width) return joined(all, 0, all.size());
  const size_t kept = width - kGap.size();
  const size_t front = (kept + 1) / 2;
  return joined(all, 0, front) + std::string(kGap) + joined(all, all.size() - (kept - front), all.size());
}

std::string beginning(std::string_view text, size_t width) {
  const std::vector<std::string_view> all = characters(text);
  return joined(all, 0, std::min(width, all.size()));
}

}  // namespace fabrictwin::dashboards::top

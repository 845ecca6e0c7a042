// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

#include "bridges/ethernet/pcap.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "absl/status/status.h"
#include "cosim/base/read_stream.h"

namespace fabrictwin::bridges::ethernet {
namespace {

constexpr size_t kFileHeader = 24;
constexpr size_t kFrameHeader = 16;
constexpr uint32_t kMicroseconds = 0xa1b2c3d4;
constexpr uint32_t kNanoseconds = 0xa1b23c4d;
constexpr uint32_t kEthernet = 1;
constexpr uint32_t kMostBytes = 262144;  ///< A longer frame is no capture of Ethernet.
constexpr int64_t kSecond = 1'000'000'000;

uint32_t number(std::string_view text, size_t at, bool swapped) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) {
    const auto byte = static_cast<uint8_t>(text[at + i]);
    value |= uint32_t{byte} << (8 * (swapped ? 3 - i : i));
  }
  return value;
}

void append(std::string& text, uint32_t value, int bytes = 4) {
  for (int i = 0; i < bytes; ++i) text.push_back(static_cast<char>(value >> (8 * i)));
}

absl::Status mistake(std::string_view path, size_t at, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("{}: byte {}: error: {}", path, at, what));
}

}  // namespace

absl::StatusOr<std::vector<CapturedFrame>> parse_pcap(std::string_view text, std::string_view path) {
  if (text.size() < kFileHeader)
    return mistake(path, text.size(), "the file ends in its header; a capture of libpcap begins with 24 bytes");
  bool swapped = false;
  uint32_t magic = number(text, 0, false);
  if (magic != kMicroseconds && magic != kNanoseconds) {
    swapped = true;
    magic = number(text, 0, true);
  }
  if (magic != kMicroseconds && magic != kNanoseconds) {
    return mistake(
        path, 0,
        "this is no capture of libpcap; write one with tcpdump -w, or convert a pcapng file with editcap -F pcap");
  }
  // The upper bits say how long the frame check sequence is.
  const uint32_t link = number(text, 20, swapped) & 0x0fffffff;
  if (link != kEthernet)
    return mistake(path, 20, fmt::format("the link type is {}, but only Ethernet (1) is read", link));
  std::vector<CapturedFrame> frames;
  size_t at = kFileHeader;
  while (at < text.size()) {
    if (text.size() - at < kFrameHeader) return mistake(path, at, "the file ends in the header of a frame");
    const uint32_t bytes = number(text, at + 8, swapped);
    if (bytes > kMostBytes)
      return mistake(path, at + 8, fmt::format("a frame of {} bytes is longer than any of Ethernet", bytes));
    if (text.size() - at - kFrameHeader < bytes)
      return mistake(path, at, fmt::format("the file ends in a frame of {} bytes", bytes));
    CapturedFrame& frame = frames.emplace_back();
    frame.time_ns = number(text, at, swapped) * kSecond +
                    int64_t{number(text, at + 4, swapped)} * (magic == kNanoseconds ? 1 : 1000);
    frame.length = number(text, at + 12, swapped);
    const std::string_view content = text.substr(at + kFrameHeader, bytes);
    frame.bytes.assign(content.begin(), content.end());
    at += kFrameHeader + bytes;
  }
  return frames;
}

absl::StatusOr<std::vector<CapturedFrame>> read_pcap(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return absl::InvalidArgumentError(fmt::format("{}: error: this is a folder; name a capture in it", path));
  std::ifstream in(path, std::ios::binary);
  const std::optional<std::string> text = in ? read_stream(in) : std::nullopt;
  if (!text) return absl::NotFoundError(fmt::format("{}: error: cannot be read", path));
  return parse_pcap(*text, path);
}

std::string pcap_text(const std::vector<CapturedFrame>& frames) {
  std::string text;
  append(text, kNanoseconds);
  append(text, 2, 2);
  append(text, 4, 2);
  append(text, 0);
  append(text, 0);
  append(text, kMostBytes);
  append(text, kEthernet);
  for (const CapturedFrame& frame : frames) {
    append(text, static_cast<uint32_t>(frame.time_ns / kSecond));
    append(text, static_cast<uint32_t>(frame.time_ns % kSecond));
    append(text, static_cast<uint32_t>(frame.bytes.size()));
    append(text, frame.length);
    text.append(frame.bytes.begin(), frame.bytes.end());
  }
  return text;
}

}  // namespace fabrictwin::bridges::ethernet

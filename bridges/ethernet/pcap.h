// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Files of captured frames in the classic format of libpcap (draft-ietf-opsawg-pcap), as tcpdump and Wireshark read and
// write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin::bridges::ethernet {

struct CapturedFrame {
  int64_t time_ns = 0;  ///< Since 1970, or any other time.
  std::vector<uint8_t> bytes;
  uint32_t length = 0;  ///< On the line; larger than `bytes` if the capture has cut it.
};

/// The frames of a capture with times in micro- or nanoseconds and numbers in any order of bytes. InvalidArgument with
/// the location as "path: byte N: error: ..." if it is no such file, is not of Ethernet, or ends in the middle.
absl::StatusOr<std::vector<CapturedFrame>> parse_pcap(std::string_view text, std::string_view path);
/// Reads a file in this way; NotFound if it cannot be read, InvalidArgument if it is a folder.
absl::StatusOr<std::vector<CapturedFrame>> read_pcap(const std::string& path);

/// A capture with times in nanoseconds.
std::string pcap_text(const std::vector<CapturedFrame>& frames);

}  // namespace fabrictwin::bridges::ethernet

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nanet/classify.h"

#include <algorithm>
#include <vector>

#include "models/nanet/frames.h"

namespace fabrictwin::nanet {
namespace {

using rtl::nanet::Result;

constexpr uint64_t kIpv4 = 0x0800;
constexpr uint64_t kArp = 0x0806;
constexpr uint8_t kUdp = 17;
constexpr uint8_t kIcmp = 1;
constexpr size_t kIp = 14;
constexpr size_t kUdpHeader = 34;

/// What its headers are. `bytes` are as many as all headers together at least.
Result of_headers(std::span<const uint8_t> bytes, const Station& station) {
  const uint64_t mac = number_at(bytes, 0, 6);
  if (mac != station.mac && mac != kAllMacs) return Result::kOther;
  if (number_at(bytes, 12, 2) != kIpv4) return Result::kEthertype;
  if (bytes[kIp] != 0x45 || number_at(bytes, 16, 2) < 28) return Result::kIpHeader;
  if (ones_sum(bytes.subspan(kIp, 20)) != 0xffff) return Result::kIpChecksum;
  const auto to = static_cast<uint32_t>(number_at(bytes, 30, 4));
  if (to != station.ip && to != 0xffffffff && to != (station.ip | ~station.netmask)) return Result::kOther;
  // More fragments, or an offset.
  if ((number_at(bytes, 20, 2) & 0x3fff) != 0) return Result::kFragment;
  if (bytes[23] != kUdp && bytes[23] != kIcmp) return Result::kProtocol;
  return bytes[23] == kUdp ? Result::kUdp : Result::kIcmp;
}

bool good_arp(std::span<const uint8_t> bytes) {
  return number_at(bytes, 14, 6) == 0x0001'0800'0604 && (number_at(bytes, 20, 2) == 1 || number_at(bytes, 20, 2) == 2);
}

bool good_checksum(std::span<const uint8_t> bytes, size_t length) {
  if (number_at(bytes, 40, 2) == 0) return true;
  const auto pseudo = static_cast<uint32_t>(kUdp + length + ones_sum(bytes.subspan(26, 8)));
  return ones_sum(bytes.subspan(kUdpHeader, length), pseudo) == 0xffff;
}

}  // namespace

Classified classify(std::span<const uint8_t> frame, bool damaged, const Station& station) {
  // What is missing of a frame that is too short does not matter.
  std::vector<uint8_t> filled(frame.begin(), frame.end());
  filled.resize(std::max<size_t>(filled.size(), kLeastFrame));
  Classified found;
  found.result = of_headers(filled, station);
  const bool runt = frame.size() < kLeastFrame;
  if (found.result == Result::kEthertype && number_at(filled, 12, 2) == kArp)
    found.result = good_arp(filled) && !damaged && !runt ? Result::kArp : Result::kArpBad;
  if (found.result == Result::kUdp) {
    const size_t length = number_at(filled, 38, 2);
    if (length + 20 != number_at(filled, 16, 2) || length < 8 || length > kMostPayload + 8) {
      found.result = Result::kUdpLength;
    } else {
      found.datagram = frame.size() > kUdpHeaders;
      found.udp_port = static_cast<uint16_t>(number_at(filled, 36, 2));
      const size_t there = std::min(frame.size(), kUdpHeader + length);
      if (there > kUdpHeaders) found.payload = frame.subspan(kUdpHeaders, there - kUdpHeaders);
      if (frame.size() < kUdpHeader + length) {
        found.result = Result::kTruncated;
      } else if (!good_checksum(frame, length)) {
        found.result = Result::kUdpChecksum;
      }
    }
  }
  if (runt) found.result = Result::kRunt;
  if (damaged) found.result = Result::kFcs;
  return found;
}

}  // namespace fabrictwin::nanet

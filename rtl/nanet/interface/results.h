// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What becomes of frames and datagrams at a port of a NaNet-10: results of nanet_pkg, each with a counter.
#pragma once

#include <utility>

namespace fabrictwin::rtl::nanet {

enum class Result {
  kUdp = 0,
  kArp,
  kIcmp,
  kOther,
  kRunt,
  kFcs,
  kEthertype,
  kIpHeader,
  kIpChecksum,
  kFragment,
  kProtocol,
  kUdpLength,
  kUdpChecksum,
  kTruncated,
  kArpBad,
  kNoStream = 16,
  kOverflow,
  kTooLarge,
  kNoBuffer,
  kUnresolved,
  kUnsendable,
  kEcho,
  kSent
};

/// All of them, with their names in reports.
inline constexpr std::pair<Result, const char*> kResultNames[] = {{Result::kUdp, "udp"},
                                                                  {Result::kArp, "arp"},
                                                                  {Result::kIcmp, "icmp"},
                                                                  {Result::kOther, "other"},
                                                                  {Result::kRunt, "runt"},
                                                                  {Result::kFcs, "fcs"},
                                                                  {Result::kEthertype, "ethertype"},
                                                                  {Result::kIpHeader, "ip_header"},
                                                                  {Result::kIpChecksum, "ip_checksum"},
                                                                  {Result::kFragment, "fragment"},
                                                                  {Result::kProtocol, "protocol"},
                                                                  {Result::kUdpLength, "udp_length"},
                                                                  {Result::kUdpChecksum, "udp_checksum"},
                                                                  {Result::kTruncated, "truncated"},
                                                                  {Result::kArpBad, "arp_bad"},
                                                                  {Result::kNoStream, "no_stream"},
                                                                  {Result::kOverflow, "overflow"},
                                                                  {Result::kTooLarge, "too_large"},
                                                                  {Result::kNoBuffer, "no_buffer"},
                                                                  {Result::kUnresolved, "unresolved"},
                                                                  {Result::kUnsendable, "unsendable"},
                                                                  {Result::kEcho, "echo"},
                                                                  {Result::kSent, "sent"}};

}  // namespace fabrictwin::rtl::nanet

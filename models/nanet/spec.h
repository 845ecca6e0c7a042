// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What an experiment says about datagrams to a NaNet-10, and the addresses that follow from it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "rtl/nanet/interface/card_spec.h"

namespace fabrictwin::nanet {

/// See DatagramStream in nanet.proto, which has the defaults.
struct StreamSpec {
  int32_t port = 0;
  int32_t index = 0;  ///< Among the streams of its port.
  uint16_t udp_port = 0;
  int32_t bytes = 0;
  Bandwidth rate;  ///< Zero: nothing is sent.
  int64_t count = 0;
  Time start;
  int32_t size_log2 = 0;     ///< Bytes of a buffer.
  int32_t buffers_log2 = 0;  ///< Buffers.
  bool gpu = false;
  bool widen = false;

  bool sends() const { return rate.bits_per_second > 0; }
  /// The number of the stream in the card.
  int32_t number() const { return port * rtl::nanet::kPortStreams + index; }
};

struct CaptureSpec {
  int32_t port = 0;
  std::string file;  ///< A path that can be opened.
  Time start;
};

struct DatagramsSpec {
  std::vector<StreamSpec> streams;
  std::vector<CaptureSpec> captures;
  Time timeout;
};

/// Addresses of port `port` of the card, and of the sender there. The first byte on the wire is the most significant.
inline uint64_t card_mac(int32_t port) { return 0x020000000002 + (static_cast<uint64_t>(port) << 8); }
inline uint64_t sender_mac(int32_t port) { return 0x020000000001 + (static_cast<uint64_t>(port) << 8); }
inline uint32_t card_ip(int32_t port) { return 0x0a000002 + (static_cast<uint32_t>(port) << 8); }
inline uint32_t sender_ip(int32_t port) { return 0x0a000001 + (static_cast<uint32_t>(port) << 8); }

}  // namespace fabrictwin::nanet

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a frame is to a port of a card: docs/models/nanet.md.
#pragma once

#include <cstdint>
#include <span>

#include "rtl/nanet/interface/results.h"

namespace fabrictwin::nanet {

/// Addresses of a port.
struct Station {
  uint64_t mac = 0;
  uint32_t ip = 0;
  uint32_t netmask = 0xffffff00;
};

struct Classified {
  rtl::nanet::Result result = rtl::nanet::Result::kOther;
  /// It has the headers of a datagram, which go on before it is known whether the rest is good: then these are set.
  bool datagram = false;
  uint16_t udp_port = 0;
  std::span<const uint8_t> payload;  ///< As much of it as there is.
};

/// Looks at a whole frame, which refers to `frame`. `damaged`: the line has damaged it.
Classified classify(std::span<const uint8_t> frame, bool damaged, const Station& station);

}  // namespace fabrictwin::nanet

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs over IP, checked: plain values.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/base/time.h"
#include "models/host/ip/costs.h"

namespace fabrictwin::ip {

/// See IpStream in ip.proto, which has the defaults.
struct StreamSpec {
  int32_t source = 0;
  int32_t destination = 0;
  int64_t bytes = 0;     ///< What the user sends, in all.
  int32_t datagram = 0;  ///< What each datagram but the last has of it.
  int64_t window = 0;    ///< 0: there is none, as with UDP.
  Time start;

  uint64_t datagrams() const { return static_cast<uint64_t>((bytes + datagram - 1) / datagram); }
  /// The user's bytes of one of them.
  int32_t bytes_of(uint64_t number) const {
    return number + 1 < datagrams() ? datagram : static_cast<int32_t>(bytes - static_cast<int64_t>(number) * datagram);
  }
};

/// See IpPing in ip.proto, which has the defaults.
struct PingSpec {
  int32_t source = 0;
  int32_t destination = 0;
  int32_t count = 0;
  int32_t bytes = 0;
  Time interval;
  Time start;
};

/// See Ip and IpStack in ip.proto. Flows are numbered: first all streams, then all pings.
struct IpSpec {
  host::ip::Costs costs;
  std::vector<StreamSpec> streams;
  std::vector<PingSpec> pings;
};

}  // namespace fabrictwin::ip

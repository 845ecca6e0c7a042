// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// GPCNeT, checked: plain values.
#pragma once

#include <cstdint>

#include "cosim/base/quantity.h"

namespace fabrictwin::gpcnet {

/// See Gpcnet in flows.proto, which has the defaults.
struct GpcnetSpec {
  int32_t ranks_per_host = 0;
  double congestors = 0;  ///< The share of the hosts.
  int32_t orders = 0;
  int32_t iterations = 0;
  int32_t warmup = 0;
  Bytes latency_bytes;
  Bytes bandwidth_bytes;
  Bytes congestor_bytes;
  int32_t outstanding = 0;
  bool isolated = false;  ///< Congestors do nothing.
};

}  // namespace fabrictwin::gpcnet

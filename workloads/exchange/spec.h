// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An exchange among neighbours, checked: plain values.
#pragma once

#include <cstdint>

#include "cosim/base/quantity.h"

namespace fabrictwin::exchange {

/// See Exchange in workload.proto, which has the defaults.
struct ExchangeSpec {
  Bytes bytes;      ///< The size of each message between neighbours.
  Bytes allreduce;  ///< The size of the allreduce that follows.
  int32_t iterations = 0;
};

}  // namespace fabrictwin::exchange

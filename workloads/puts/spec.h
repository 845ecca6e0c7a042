// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts of one host, checked: plain values.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/base/quantity.h"
#include "fabrictwin/v1/workload.pb.h"

namespace fabrictwin::puts {

/// See Puts in workload.proto, which has the defaults.
struct PutsSpec {
  v1::Puts::Operation operation{};
  int32_t source = 0;
  std::vector<int32_t> destinations;  ///< At least one; whether they exist is checked when the workload is built.
  std::vector<Bytes> sizes;           ///< At least one.
  int32_t count = 0;
  int32_t window = 0;
};

}  // namespace fabrictwin::puts

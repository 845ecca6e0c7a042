// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An OSU micro-benchmark, checked: plain values.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/base/quantity.h"
#include "fabrictwin/v1/job.pb.h"

namespace fabrictwin::osu {

/// See Osu in job.proto, which has the defaults.
struct OsuSpec {
  v1::Osu::Benchmark benchmark{};
  std::vector<Bytes> sizes;
  int32_t iterations = 0;
  int32_t warmup = 0;
  int32_t window = 0;
  int32_t ranks = 0;  ///< 0 means as many as the hosts can take.
};

}  // namespace fabrictwin::osu

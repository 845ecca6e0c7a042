// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/ip/costs.h"

namespace fabrictwin::host::ip {

Time Costs::of(int64_t bytes) const {
  if (copy_rate.bits_per_second == 0) return passage;
  constexpr __int128 kFsPerSecond = 1'000'000'000'000'000;
  const __int128 fs = (8 * kFsPerSecond * bytes + copy_rate.bits_per_second - 1) / copy_rate.bits_per_second;
  return passage + (fs < Time::never().fs() ? Time::from_fs(static_cast<int64_t>(fs)) : Time::never());
}

}  // namespace fabrictwin::host::ip

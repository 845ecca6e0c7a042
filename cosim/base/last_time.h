// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/base/time.h"

namespace fabrictwin {

/// The end of simulated time, before which all workloads begin and runs end. Networks add times without a look at
/// whether these can be told, and what they add at once is less than the rest of Time.
inline constexpr Time kLastTime = Time::from_us(9'000'000'000);

}  // namespace fabrictwin

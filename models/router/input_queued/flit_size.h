// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cosim/link/record.h"

namespace fabrictwin::router::input_queued {

/// The flits that bytes fill; a flit is a word of a link.
constexpr int32_t flits_of(int32_t bytes) { return (bytes + link::kWordBytes - 1) / link::kWordBytes; }

}  // namespace fabrictwin::router::input_queued

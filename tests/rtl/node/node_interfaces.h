// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/rtl/node/node_network.h"

namespace fabrictwin::test {

/// Adds two exanet_ni, pin to pin but for a delay in cycles, to an empty network.
void add_interfaces(NodeNetwork& network, int delay, MemoryTiming memory, uint64_t seed);

}  // namespace fabrictwin::test

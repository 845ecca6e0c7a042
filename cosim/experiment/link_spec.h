// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What an experiment says about links.
#pragma once

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"

namespace fabrictwin::experiment {

/// One kind of link, in each direction.
struct LinkSpec {
  Bandwidth rate;
  Time latency;
};

}  // namespace fabrictwin::experiment

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers of the model INPUT_QUEUED in an experiment: docs/models/iq-router.md.
#include "cosim/experiment/capabilities.h"
#include "models/router/input_queued/network.h"

namespace fabrictwin::router::input_queued {

const experiment::RouterCapabilities& capabilities() {
  static const experiment::RouterCapabilities declared{
      .model = v1::INPUT_QUEUED,
      .most_link_cycles = Link::kMaxLatency,
  };
  return declared;
}

}  // namespace fabrictwin::router::input_queued

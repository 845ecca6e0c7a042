// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers of the model EXANET in an experiment: docs/models/exanet-router.md.
#include "cosim/experiment/capabilities.h"

namespace fabrictwin::router::exanet {

const experiment::RouterCapabilities& capabilities() {
  static const experiment::RouterCapabilities declared{
      .model = v1::EXANET,
      .places = true,
      .nodes = true,
  };
  return declared;
}

}  // namespace fabrictwin::router::exanet

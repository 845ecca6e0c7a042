// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers of the model PACKET in an experiment: docs/models/packet-network.md.
#include "cosim/experiment/capabilities.h"

namespace fabrictwin::router::packet {

const experiment::RouterCapabilities& capabilities() {
  static const experiment::RouterCapabilities declared{
      .model = v1::PACKET,
      .any_rate = true,  // Packets have no words.
  };
  return declared;
}

}  // namespace fabrictwin::router::packet

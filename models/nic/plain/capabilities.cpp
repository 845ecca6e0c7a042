// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What network interfaces that are PLAIN can do: docs/models/network-interface.md.
#include "cosim/experiment/capabilities.h"

#include "cosim/link/record.h"

namespace fabrictwin::nic::plain {

const experiment::NicCapabilities& capabilities() {
  // A packet has a word of header and one of footer.
  static const experiment::NicCapabilities declared{.nic = v1::Host::PLAIN, .frame_bytes = 2 * link::kWordBytes};
  return declared;
}

}  // namespace fabrictwin::nic::plain

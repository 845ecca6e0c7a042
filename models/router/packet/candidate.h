// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What an output of a router chooses among.
#pragma once

#include <cstdint>

namespace fabrictwin::router::packet {

/// A packet in front of a buffer that may leave by an output.
struct Candidate {
  int64_t ready = 0;
  uint32_t vc = 0;  ///< VC in which it waits, numbered across all ports.
  uint32_t packet = 0;
  uint32_t vcs = 0;  ///< Mask of the VCs that it may take.
  int32_t bytes = 0;
  bool escape = false;  ///< This port is only its escape route.
  bool spoken = false;  ///< Its escape route is here too.
};

/// The first packet of a queue of an input.
struct Head {
  int64_t ready = 0;
  uint32_t buffer = 0;
  int32_t number = 0;  ///< Of the queue, and its slot.
  uint32_t slot = 0;
  uint32_t packet = 0;
};

}  // namespace fabrictwin::router::packet

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fabrictwin::host {

/// What hosts sent besides data, and what they heard. Value type.
struct ControlCounters {
  uint64_t marks = 0;  ///< Data packets that arrived with a mark.
  uint64_t acknowledgements = 0;
  uint64_t notices = 0;
  uint64_t bytes = 0;  ///< Bytes that acknowledgements and notices take on the links of their senders.

  void add(const ControlCounters& other) {
    marks += other.marks;
    acknowledgements += other.acknowledgements;
    notices += other.notices;
    bytes += other.bytes;
  }
};

}  // namespace fabrictwin::host

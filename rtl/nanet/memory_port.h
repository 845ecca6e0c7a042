// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What is at the pins of a NaNet-10 for one of its two memories.
#pragma once

#include <array>
#include <cstdint>

namespace fabrictwin::rtl::nanet {

using Word = std::array<uint32_t, 4>;  ///< 128 bits of data, least significant first.

/// The write and read channels of AXI4, whose addresses are always taken. What is offered and what is ready is known
/// before an edge; then what both sides agreed on is taken, and the edge comes. Used by one thread.
class MemoryPort {
 public:
  virtual ~MemoryPort() = default;

  virtual bool w_ready() const = 0;
  virtual bool b_valid() const = 0;
  virtual bool b_error() const = 0;
  virtual bool r_valid() const = 0;
  virtual Word r_data() const = 0;
  virtual bool r_error() const = 0;
  virtual void take_aw(uint64_t address, int beats) = 0;
  virtual void take_w(const Word& data, uint16_t strobe, bool last) = 0;
  virtual void take_b() = 0;
  virtual void take_ar(uint64_t address, int beats) = 0;
  virtual void take_r() = 0;
  /// The edge; the next one is `period_ns` later.
  virtual void edge(double now_ns, double period_ns) = 0;
};

}  // namespace fabrictwin::rtl::nanet

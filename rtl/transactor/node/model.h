// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The Verilated logic of a node without Verilator types: its pins and its clock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "cosim/link/record.h"

namespace fabrictwin::rtl::node {

/// An input or output of any width up to 128 bits in a model; it is absent if it has no storage there.
struct Pin {
  void* data = nullptr;
  size_t bytes = 0;

  void put(const link::Word& value) const { std::memcpy(data, &value, bytes); }
  void put(uint64_t value) const { put(link::Word{value, 0}); }
  link::Word get() const {
    link::Word value;
    std::memcpy(&value, data, bytes);
    return value;
  }
  uint64_t bits() const { return get().lo; }
  bool high() const { return *static_cast<const uint8_t*>(data) != 0; }
};

/// One AXI slave for registers, absent if `awvalid` is. A bus without rresp always answers reads with OKAY.
struct RegisterBusPins {
  Pin awvalid, awready, awaddr, wvalid, wready, wdata, wstrb, bvalid, bready, bresp;
  Pin arvalid, arready, araddr, rvalid, rready, rdata, rresp;
};

/// The AXI master to the host's memory.
struct MemoryBusPins {
  Pin awvalid, awready, awaddr, awlen, awuser, wvalid, wready, wdata, wstrb, wlast, bvalid, bready, bresp;
  Pin arvalid, arready, araddr, arlen, aruser, rvalid, rready, rdata, rresp, rlast;
};

/// The pins of rtl/node/network_fpga.sv and plain_fpga.sv, which document them. Bit (or slice) l of each belongs to
/// link l.
struct Pins {
  uint8_t* rst_ni;
  uint32_t* time_i;
  Pin node_i, tile_bits_i, x_bits_i, y_bits_i;
  Pin coordinates_i, last_i, port_enable_i;  ///< Absent in plain FPGAs.

  std::array<RegisterBusPins, 3> registers;  ///< By HostRegion.
  Pin s_wlast_i, s_arlen_i;                  ///< Pins of the RDMA unit's slave.
  MemoryBusPins memory;
  const uint8_t* event_valid_o;
  const uint8_t* event_interface_o;
  const uint8_t* irq_o;

  // The pins of board links.
  uint8_t* rx_valid_i;
  uint8_t* rx_vc_i;
  uint8_t* rx_sop_i;
  uint8_t* rx_eop_i;
  uint32_t* rx_data_i;  ///< Four 32-bit words per link, the lowest first.
  const uint8_t* credit_valid_o;
  const uint8_t* credit_vc_o;
  const uint32_t* credit_count_o;
  const uint8_t* tx_valid_o;
  const uint8_t* tx_vc_o;
  const uint8_t* tx_sop_o;
  const uint8_t* tx_eop_o;
  const uint32_t* tx_data_o;
  uint8_t* tx_ready_i;
  uint8_t* credit_valid_i;
  uint8_t* credit_vc_i;
  uint32_t* credit_count_i;

  // The pins of network links; null in plain FPGAs.
  const uint32_t* m_tdata_o;
  const uint8_t* m_tvalid_o;
  uint8_t* m_tready_i;
  uint32_t* s_tdata_i;
  uint8_t* s_tvalid_i;
  const uint8_t* s_tready_o;

  const uint8_t* idle_o;
  const uint8_t* repeats_o;
  Pin credit_stall_o;
  const uint8_t* error_o;
};

/// The identity that a node reads while reset is low.
struct Identity {
  uint32_t node = 0;
  uint8_t tile_bits = 0;
  uint8_t x_bits = 0;
  uint8_t y_bits = 0;
  uint32_t coordinates = 0;  ///< As on the pins, one byte for each dimension.
  uint32_t last = 0;         ///< Lattice sizes minus one, one byte for each dimension.
  uint16_t port_enable = 0;
};

/// The Verilated logic of one FPGA. Used by one thread at a time; different models share nothing.
class Model {
 public:
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const Pins& pins() const { return pins_; }

  /// Resets the logic and gives it its identity. All other input pins are low afterwards.
  void reset(const Identity& identity);

  /// Evaluates outputs that depend combinationally on inputs. Without it outputs are those after the last edge.
  virtual void settle() = 0;
  /// Evaluates a rising clock edge.
  virtual void edge() = 0;

 protected:
  Model() = default;
  /// Sets all input pins to zero.
  virtual void clear_inputs() = 0;
  Pins pins_{};
};

/// The logic of F1.
std::unique_ptr<Model> make_network_node_model();
/// The logic of F1 without its links in y and z, which is faster.
std::unique_ptr<Model> make_two_link_node_model();
/// The logic of F1 whose links to other boards have buffers of kNodeDeepCredits.
std::unique_ptr<Model> make_deep_network_node_model();
/// The logic of F2 to F4.
std::unique_ptr<Model> make_plain_node_model();

}  // namespace fabrictwin::rtl::node

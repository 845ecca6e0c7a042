// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The Verilated logic of a node without Verilator in sight: its pins and its clock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "cosim/link/record.h"

namespace fabrictwin {

/// An input or output of any width up to 128 bits, in a model; absent if it has no place.
struct NodePin {
  void* data = nullptr;
  size_t bytes = 0;

  void put(const Word& value) const { std::memcpy(data, &value, bytes); }
  void put(uint64_t value) const { put(Word{value, 0}); }
  Word get() const {
    Word value;
    std::memcpy(&value, data, bytes);
    return value;
  }
  uint64_t bits() const { return get().lo; }
  bool high() const { return *static_cast<const uint8_t*>(data) != 0; }
};

/// One AXI slave for registers. Absent if `awvalid` is. A bus without rresp always answers reads with OKAY.
struct RegisterBusPins {
  NodePin awvalid, awready, awaddr, wvalid, wready, wdata, wstrb, bvalid, bready, bresp;
  NodePin arvalid, arready, araddr, rvalid, rready, rdata, rresp;
};

/// The AXI master to the host's memory.
struct MemoryBusPins {
  NodePin awvalid, awready, awaddr, awlen, awuser, wvalid, wready, wdata, wstrb, wlast, bvalid, bready, bresp;
  NodePin arvalid, arready, araddr, arlen, aruser, rvalid, rready, rdata, rresp, rlast;
};

/// The pins of rtl/node/network_fpga.sv and plain_fpga.sv, which describe them. Bit (or slice) l of each belongs to
/// link l.
struct NodePins {
  uint8_t* rst_ni;
  uint32_t* time_i;
  NodePin node_i, tile_bits_i, x_bits_i, y_bits_i;
  NodePin coordinates_i, last_i, port_enable_i;  ///< Absent in plain FPGAs.

  std::array<RegisterBusPins, 3> registers;  ///< By HostRegion.
  NodePin s_wlast_i, s_arlen_i;              ///< Of the RDMA unit's slave.
  MemoryBusPins memory;
  const uint8_t* event_valid_o;
  const uint8_t* event_interface_o;

  // Board links.
  uint8_t* rx_valid_i;
  uint8_t* rx_vc_i;
  uint8_t* rx_sop_i;
  uint8_t* rx_eop_i;
  uint32_t* rx_data_i;  ///< Four 32-bit words a link, the lowest first.
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

  // Network links; null in plain FPGAs.
  const uint32_t* m_tdata_o;
  const uint8_t* m_tvalid_o;
  uint8_t* m_tready_i;
  uint32_t* s_tdata_i;
  uint8_t* s_tvalid_i;
  const uint8_t* s_tready_o;

  const uint8_t* idle_o;
  NodePin credit_stall_o;
  const uint8_t* error_o;
};

/// What a node is told while reset is low.
struct NodeIdentity {
  uint32_t node = 0;
  uint8_t tile_bits = 0;
  uint8_t x_bits = 0;
  uint8_t y_bits = 0;
  uint32_t coordinates = 0;  ///< As on the pins, a byte for each dimension.
  uint32_t last = 0;         ///< Lattice sizes minus one, likewise.
  uint16_t port_enable = 0;
};

/// The Verilated logic of one FPGA. Used by one thread at a time; different models share nothing.
class NodeModel {
 public:
  virtual ~NodeModel() = default;
  NodeModel(const NodeModel&) = delete;
  NodeModel& operator=(const NodeModel&) = delete;

  const NodePins& pins() const { return pins_; }

  /// Resets the logic and gives it its identity. All other input pins are low afterwards.
  void reset(const NodeIdentity& identity);

  /// Lets outputs that follow inputs at once follow them. Without it outputs are those after the last edge.
  virtual void settle() = 0;
  /// A rising clock edge.
  virtual void edge() = 0;

 protected:
  NodeModel() = default;
  /// Sets all input pins to zero.
  virtual void clear_inputs() = 0;
  NodePins pins_{};
};

/// The logic of F1.
std::unique_ptr<NodeModel> make_network_node_model();
/// The logic of F2 to F4.
std::unique_ptr<NodeModel> make_plain_node_model();

}  // namespace fabrictwin

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The channels of AXI4 with 128 bits of data and of AXI4-Lite with 32 (AMBA AXI and ACE Protocol Specification, ARM IHI 0022E), as bundles of what
/// a master and what a slave drives.
package axi_pkg;

  localparam int unsigned AddressWidth = 64;
  localparam int unsigned DataWidth = 128;
  localparam int unsigned StrobeWidth = DataWidth / 8;
  localparam int unsigned IdWidth = 4;

  localparam logic [2:0] SizeFull = 3'd4;      ///< Beats of DataWidth.
  localparam logic [1:0] BurstIncrement = 2'b01;
  localparam logic [3:0] CacheBufferable = 4'b0011;  ///< Normal memory, not cacheable, bufferable.
  localparam logic [2:0] ProtData = 3'b010;    ///< Unprivileged, not secure, data.
  localparam logic [1:0] Okay = 2'b00;

  /// A read or write address.
  typedef struct packed {
    logic [IdWidth-1:0]      id;
    logic [AddressWidth-1:0] address;
    logic [7:0]              length;  ///< Beats minus one.
    logic [2:0]              size;
    logic [1:0]              burst;
    logic [3:0]              cache;
    logic [2:0]              prot;
  } address_t;

  typedef struct packed {
    logic [DataWidth-1:0]   data;
    logic [StrobeWidth-1:0] strobe;
    logic                   last;
  } write_data_t;

  typedef struct packed {
    logic [IdWidth-1:0] id;
    logic [1:0]         response;
  } write_response_t;

  typedef struct packed {
    logic [IdWidth-1:0]   id;
    logic [DataWidth-1:0] data;
    logic [1:0]           response;
    logic                 last;
  } read_data_t;

  /// An address of an incrementing burst of `beats` full beats, 1 to 256.
  function automatic address_t burst_at(input logic [AddressWidth-1:0] address, input logic [8:0] beats);
    burst_at = {
      IdWidth'(0), address, 8'(beats - 9'd1), SizeFull, BurstIncrement, CacheBufferable, ProtData
    };
  endfunction

endpackage

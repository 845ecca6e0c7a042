// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Parts of the Target Controller side by side, for a test bench of their own.
module control_parts_top (
    input  logic        clk_i,
    input  logic        rst_ni,

    // Event register of 2 levels and 3 counters.
    input  logic        ignore_i,
    input  logic [1:0]  level_i,
    input  logic [5:0]  count_i,
    input  logic [4:0]  clear_i,
    output logic [4:0]  events_o,

    // Slave of 64 registers.
    input  logic        awvalid_i,
    output logic        awready_o,
    input  logic [7:0]  awaddr_i,
    input  logic        wvalid_i,
    output logic        wready_o,
    input  logic [31:0] wdata_i,
    input  logic [3:0]  wstrb_i,
    output logic        bvalid_o,
    input  logic        bready_i,
    output logic [1:0]  bresp_o,
    input  logic        arvalid_i,
    output logic        arready_o,
    input  logic [7:0]  araddr_i,
    output logic        rvalid_o,
    input  logic        rready_i,
    output logic [31:0] rdata_o,
    output logic [1:0]  rresp_o,
    output logic        write_o,
    output logic [5:0]  write_address_o,
    output logic [31:0] write_data_o,
    output logic [31:0] write_mask_o,
    input  logic        write_ok_i,
    output logic [5:0]  read_address_o,
    input  logic [31:0] read_data_i,
    input  logic        read_ok_i
);

  event_register #(
      .Levels  (2),
      .Counters(3)
  ) i_events (
      .clk_i,
      .rst_ni,
      .ignore_i,
      .level_i,
      .count_i,
      .clear_i,
      .events_o
  );
  axi_lite_slave #(
      .AddressWidth(8)
  ) i_slave (
      .clk_i,
      .rst_ni,
      .awvalid_i,
      .awready_o,
      .awaddr_i,
      .wvalid_i,
      .wready_o,
      .wdata_i,
      .wstrb_i,
      .bvalid_o,
      .bready_i,
      .bresp_o,
      .arvalid_i,
      .arready_o,
      .araddr_i,
      .rvalid_o,
      .rready_i,
      .rdata_o,
      .rresp_o,
      .write_o,
      .write_address_o,
      .write_data_o,
      .write_mask_o,
      .write_ok_i,
      .read_address_o,
      .read_data_i,
      .read_ok_i
  );

endmodule

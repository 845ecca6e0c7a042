// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// A shell of three ports with rings of 16 slots, without registers and element, for a test bench of its own. The names of the AXI signals are those that
/// the memory of the bench expects.
module shell_core_top #(
    parameter int unsigned DataWidth = 128,
    parameter int unsigned VcWidth = 1,
    localparam int unsigned NumPorts = 3,
    localparam int unsigned WordWidth = VcWidth + 2 + DataWidth,
    localparam int unsigned CreditWidth = VcWidth + shell_pkg::CountWidth + shell_pkg::HealthWidth
) (
    input  logic                                    clk_i,
    input  logic                                    rst_ni,
    input  logic                                    enable_i,
    output logic                                    quiet_o,
    input  logic [63:0]                             to_board_base_i,
    input  logic [63:0]                             from_board_base_i,
    input  logic [31:0]                             from_board_consumed_i,
    input  logic [1:0]                              mode_i,
    input  logic [31:0]                             pace_numerator_i,
    input  logic [31:0]                             pace_denominator_i,
    input  logic [53:0]                             period_whole_i,
    input  logic [31:0]                             period_numerator_i,
    input  logic [31:0]                             period_denominator_i,
    input  logic [4*54-1:0]                         word_whole_i,
    input  logic [4*32-1:0]                         word_numerator_i,
    input  logic [4*32-1:0]                         word_denominator_i,
    input  logic [2*NumPorts-1:0]                   word_clock_i,

    output logic                                    m_axi_awvalid,
    input  logic                                    m_axi_awready,
    output logic [63:0]                             m_axi_awaddr,
    output logic                                    m_axi_wvalid,
    input  logic                                    m_axi_wready,
    output logic [127:0]                            m_axi_wdata,
    output logic [15:0]                             m_axi_wstrb,
    output logic                                    m_axi_wlast,
    input  logic                                    m_axi_bvalid,
    output logic                                    m_axi_bready,
    input  logic [3:0]                              m_axi_bid,
    input  logic [1:0]                              m_axi_bresp,
    output logic                                    m_axi_arvalid,
    input  logic                                    m_axi_arready,
    output logic [63:0]                             m_axi_araddr,
    output logic [7:0]                              m_axi_arlen,
    input  logic                                    m_axi_rvalid,
    output logic                                    m_axi_rready,
    input  logic [3:0]                              m_axi_rid,
    input  logic [127:0]                            m_axi_rdata,
    input  logic [1:0]                              m_axi_rresp,
    input  logic                                    m_axi_rlast,

    output logic                                    execute_o,
    output logic [NumPorts-1:0]                     word_valid_o,
    output logic [NumPorts*WordWidth-1:0]           word_o,
    output logic [NumPorts-1:0]                     credit_valid_o,
    output logic [NumPorts*CreditWidth-1:0]         credit_o,
    output logic [NumPorts-1:0]                     word_ready_o,
    input  logic [NumPorts-1:0]                     word_valid_i,
    input  logic [NumPorts*WordWidth-1:0]           word_i,
    input  logic [NumPorts-1:0]                     credit_valid_i,
    input  logic [NumPorts*CreditWidth-1:0]         credit_i,
    input  logic                                    element_idle_i,
    output logic                                    route_write_o,
    output logic [9:0]                              route_destination_o,
    output logic [7:0]                              route_input_o,
    output logic [7:0]                              route_entry_o,
    output logic [47:0]                             edge_o,
    output logic [63:0]                             executed_o,
    output logic [31:0]                             late_o,
    output logic                                    record_error_o,
    output logic                                    bus_error_o
);

  /* verilator lint_off UNUSEDSIGNAL */
  axi_pkg::address_t ar, aw;
  /* verilator lint_on UNUSEDSIGNAL */
  axi_pkg::write_data_t w;

  assign m_axi_awaddr = aw.address;
  assign m_axi_wdata = w.data;
  assign m_axi_wstrb = w.strobe;
  assign m_axi_wlast = w.last;
  assign m_axi_araddr = ar.address;
  assign m_axi_arlen = ar.length;

  shell_core #(
      .NumPorts (NumPorts),
      .SlotsLog2(4),
      .DataWidth(DataWidth),
      .VcWidth  (VcWidth)
  ) i_core (
      .clk_i,
      .rst_ni,
      .enable_i,
      .quiet_o,
      .to_board_base_i,
      .from_board_base_i,
      .from_board_consumed_i,
      .mode_i,
      .pace_numerator_i,
      .pace_denominator_i,
      .period_whole_i,
      .period_numerator_i,
      .period_denominator_i,
      .word_whole_i,
      .word_numerator_i,
      .word_denominator_i,
      .word_clock_i,
      .ar_valid_o(m_axi_arvalid),
      .ar_ready_i(m_axi_arready),
      .ar_o      (ar),
      .r_valid_i (m_axi_rvalid),
      .r_ready_o (m_axi_rready),
      .r_i       ('{id: m_axi_rid, data: m_axi_rdata, response: m_axi_rresp, last: m_axi_rlast}),
      .aw_valid_o(m_axi_awvalid),
      .aw_ready_i(m_axi_awready),
      .aw_o      (aw),
      .w_valid_o (m_axi_wvalid),
      .w_ready_i (m_axi_wready),
      .w_o       (w),
      .b_valid_i (m_axi_bvalid),
      .b_ready_o (m_axi_bready),
      .b_i       ('{id: m_axi_bid, response: m_axi_bresp}),
      .execute_o,
      .word_valid_o,
      .word_o,
      .credit_valid_o,
      .credit_o,
      .word_ready_o,
      .word_valid_i,
      .word_i,
      .credit_valid_i,
      .credit_i,
      .element_idle_i,
      .route_write_o,
      .route_destination_o,
      .route_input_o,
      .route_entry_o,
      .edge_o,
      .executed_o,
      .late_o,
      .record_error_o,
      .bus_error_o
  );

endmodule

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// An ExaNet router behind a shell, as it goes into an FPGA.
module exanet_router_shell #(
    /// As in exanet_router.
    parameter int unsigned NumPorts = 7,
    parameter int unsigned BufferWords = 64,
    /// Destinations in the route table; a power of two, or 0 for a router by coordinates.
    parameter int unsigned RouteTableEntries = 0,
    parameter int unsigned SlotsLog2 = 8,
    /// As in shell_registers.
    parameter logic [31:0] RingOffset = 32'd0,
    parameter logic [31:0] ClockHertz = 32'd100_000_000,
    parameter int unsigned RingAddress = 0
) (
    input  logic                              clk_i,
    /// As in clock_gate.
    input  logic                              clk_source_i,
    /// Synchronous, active low.
    input  logic                              rst_ni,

    input  logic                              s_axi_awvalid,
    output logic                              s_axi_awready,
    input  logic [11:0]                       s_axi_awaddr,
    input  logic                              s_axi_wvalid,
    output logic                              s_axi_wready,
    input  logic [31:0]                       s_axi_wdata,
    input  logic [3:0]                        s_axi_wstrb,
    output logic                              s_axi_bvalid,
    input  logic                              s_axi_bready,
    output logic [1:0]                        s_axi_bresp,
    input  logic                              s_axi_arvalid,
    output logic                              s_axi_arready,
    input  logic [11:0]                       s_axi_araddr,
    output logic                              s_axi_rvalid,
    input  logic                              s_axi_rready,
    output logic [31:0]                       s_axi_rdata,
    output logic [1:0]                        s_axi_rresp,

    output logic                              m_axi_awvalid,
    input  logic                              m_axi_awready,
    output logic [axi_pkg::IdWidth-1:0]       m_axi_awid,
    output logic [axi_pkg::AddressWidth-1:0]  m_axi_awaddr,
    output logic [7:0]                        m_axi_awlen,
    output logic [2:0]                        m_axi_awsize,
    output logic [1:0]                        m_axi_awburst,
    output logic [3:0]                        m_axi_awcache,
    output logic [2:0]                        m_axi_awprot,
    output logic                              m_axi_wvalid,
    input  logic                              m_axi_wready,
    output logic [axi_pkg::DataWidth-1:0]     m_axi_wdata,
    output logic [axi_pkg::StrobeWidth-1:0]   m_axi_wstrb,
    output logic                              m_axi_wlast,
    input  logic                              m_axi_bvalid,
    output logic                              m_axi_bready,
    input  logic [axi_pkg::IdWidth-1:0]       m_axi_bid,
    input  logic [1:0]                        m_axi_bresp,
    output logic                              m_axi_arvalid,
    input  logic                              m_axi_arready,
    output logic [axi_pkg::IdWidth-1:0]       m_axi_arid,
    output logic [axi_pkg::AddressWidth-1:0]  m_axi_araddr,
    output logic [7:0]                        m_axi_arlen,
    output logic [2:0]                        m_axi_arsize,
    output logic [1:0]                        m_axi_arburst,
    output logic [3:0]                        m_axi_arcache,
    output logic [2:0]                        m_axi_arprot,
    input  logic                              m_axi_rvalid,
    output logic                              m_axi_rready,
    input  logic [axi_pkg::IdWidth-1:0]       m_axi_rid,
    input  logic [axi_pkg::DataWidth-1:0]     m_axi_rdata,
    input  logic [1:0]                        m_axi_rresp,
    input  logic                              m_axi_rlast
);

  localparam int unsigned RouteWidth = $clog2(NumPorts) + 2;
  localparam int unsigned InputIdWidth = $clog2(NumPorts) + 1;

  if (RouteWidth > 8) begin : gen_check_ports
    $error("exanet_router_shell: an entry of the route table has more bits than its register");
  end

  logic clk_element, rst_n, by_table, route_write, idle;
  logic [23:0] coordinates, last;
  logic [15:0] mark_threshold, mark_rate;
  logic [4:0] mark_least;
  logic [9:0] route_destination;
  // A router with fewer ports has shorter numbers of inputs and entries, and an ExaNet router knows its position by its coordinates.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [31:0] node;
  logic [7:0] route_input, route_entry;
  logic [NumPorts*3-1:0] neighbour_health;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [NumPorts-1:0] port_enable, port_host, rx_valid, rx_vc, rx_sop, rx_eop, credit_in_valid, credit_in_vc, tx_ready;
  logic [NumPorts-1:0] tx_valid, tx_vc, tx_sop, tx_eop, credit_out_valid, credit_out_vc, credit_stall, error;
  logic [NumPorts*shell_pkg::WordWidth-1:0] rx_data, tx_data;
  logic [NumPorts*8-1:0] credits, credit_in_count, credit_out_count;
  logic [NumPorts*3-1:0] credit_in_health, credit_out_health;

  shell_frame #(
      .NumPorts             (NumPorts),
      .SlotsLog2            (SlotsLog2),
      .Element              (8'd1),
      .RouteDestinationsLog2(RouteTableEntries == 0 ? 8'd0 : 8'($clog2(RouteTableEntries))),
      .BufferCredits        (BufferWords > 255 ? 8'd0 : 8'(BufferWords)),
      .RingOffset           (RingOffset),
      .ClockHertz           (ClockHertz),
      .RingAddress          (RingAddress)
  ) i_frame (
      .clk_i,
      .clk_source_i,
      .rst_ni,
      .s_axi_awvalid,
      .s_axi_awready,
      .s_axi_awaddr,
      .s_axi_wvalid,
      .s_axi_wready,
      .s_axi_wdata,
      .s_axi_wstrb,
      .s_axi_bvalid,
      .s_axi_bready,
      .s_axi_bresp,
      .s_axi_arvalid,
      .s_axi_arready,
      .s_axi_araddr,
      .s_axi_rvalid,
      .s_axi_rready,
      .s_axi_rdata,
      .s_axi_rresp,
      .m_axi_awvalid,
      .m_axi_awready,
      .m_axi_awid,
      .m_axi_awaddr,
      .m_axi_awlen,
      .m_axi_awsize,
      .m_axi_awburst,
      .m_axi_awcache,
      .m_axi_awprot,
      .m_axi_wvalid,
      .m_axi_wready,
      .m_axi_wdata,
      .m_axi_wstrb,
      .m_axi_wlast,
      .m_axi_bvalid,
      .m_axi_bready,
      .m_axi_bid,
      .m_axi_bresp,
      .m_axi_arvalid,
      .m_axi_arready,
      .m_axi_arid,
      .m_axi_araddr,
      .m_axi_arlen,
      .m_axi_arsize,
      .m_axi_arburst,
      .m_axi_arcache,
      .m_axi_arprot,
      .m_axi_rvalid,
      .m_axi_rready,
      .m_axi_rid,
      .m_axi_rdata,
      .m_axi_rresp,
      .m_axi_rlast,
      .clk_element_o      (clk_element),
      .rst_element_no     (rst_n),
      .coordinates_o      (coordinates),
      .last_o             (last),
      .node_o             (node),
      .mark_threshold_o   (mark_threshold),
      .mark_rate_o        (mark_rate),
      .mark_least_o       (mark_least),
      .by_table_o         (by_table),
      .port_enable_o      (port_enable),
      .port_host_o        (port_host),
      .credits_o          (credits),
      .route_write_o      (route_write),
      .route_destination_o(route_destination),
      .route_input_o      (route_input),
      .route_entry_o      (route_entry),
      .rx_valid_o         (rx_valid),
      .rx_vc_o            (rx_vc),
      .rx_sop_o           (rx_sop),
      .rx_eop_o           (rx_eop),
      .rx_data_o          (rx_data),
      .credit_valid_o     (credit_in_valid),
      .credit_vc_o        (credit_in_vc),
      .credit_count_o     (credit_in_count),
      .credit_health_o    (credit_in_health),
      .tx_ready_o         (tx_ready),
      .tx_valid_i         (tx_valid),
      .tx_vc_i            (tx_vc),
      .tx_sop_i           (tx_sop),
      .tx_eop_i           (tx_eop),
      .tx_data_i          (tx_data),
      .credit_valid_i     (credit_out_valid),
      .credit_vc_i        (credit_out_vc),
      .credit_count_i     (credit_out_count),
      .credit_health_i    (credit_out_health),
      .credit_stall_i     (credit_stall),
      .error_i            (error),
      .idle_i             (idle)
  );

  exanet_router #(
      .BufferWords      (BufferWords),
      .RouteTableEntries(RouteTableEntries),
      .NumPorts         (NumPorts)
  ) i_router (
      .clk_i             (clk_element),
      .rst_ni            (rst_n),
      .coordinates_i     (coordinates),
      .last_i            (last),
      .table_enable_i    (by_table),
      .table_we_i        (route_write),
      .table_input_i     (route_input[InputIdWidth-1:0]),
      .table_address_i   (route_destination),
      .table_data_i      (route_entry[RouteWidth-1:0]),
      .port_enable_i     (port_enable),
      .initial_credits_i (credits),
      .mark_threshold_i  (mark_threshold),
      .mark_rate_i       (mark_rate),
      .mark_least_i      (mark_least),
      .mark_hosts_i      (port_host),
      .health_i          (3'd0),
      .rx_valid_i        (rx_valid),
      .rx_vc_i           (rx_vc),
      .rx_sop_i          (rx_sop),
      .rx_eop_i          (rx_eop),
      .rx_data_i         (rx_data),
      .credit_valid_o    (credit_out_valid),
      .credit_vc_o       (credit_out_vc),
      .credit_count_o    (credit_out_count),
      .credit_health_o   (credit_out_health),
      .tx_valid_o        (tx_valid),
      .tx_vc_o           (tx_vc),
      .tx_sop_o          (tx_sop),
      .tx_eop_o          (tx_eop),
      .tx_data_o         (tx_data),
      .tx_ready_i        (tx_ready),
      .credit_valid_i    (credit_in_valid),
      .credit_vc_i       (credit_in_vc),
      .credit_count_i    (credit_in_count),
      .credit_health_i   (credit_in_health),
      .idle_o            (idle),
      .credit_stall_o    (credit_stall),
      .error_o           (error),
      .neighbour_health_o(neighbour_health)
  );

endmodule

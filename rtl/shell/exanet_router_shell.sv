// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// An ExaNet router behind a shell, as it goes into an FPGA: registers at an AXI4-Lite slave, the rings in whatever memory the AXI4 master reaches. The
/// names of the AXI signals are those that block designs expect.
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

  localparam int unsigned WordWidth = shell_pkg::WordBits;
  localparam int unsigned CreditWidth = shell_pkg::CreditBits;
  localparam int unsigned RouteWidth = $clog2(NumPorts) + 2;
  localparam int unsigned InputIdWidth = $clog2(NumPorts) + 1;
  /// Edges of the element in reset.
  localparam logic [2:0] ResetEdges = 3'd4;
  localparam int unsigned HeartbeatLog2 = 12;

  if (RouteWidth > 8) begin : gen_check_ports
    $error("exanet_router_shell: an entry of the route table has more bits than its register");
  end

  // The first three are what the status register says.
  typedef enum logic [2:0] {
    Idle = 3'd0,
    Running = 3'd1,
    Failed = 3'd2,
    Drain = 3'd3,
    Reset = 3'd4
  } state_t;

  state_t state_q;
  logic [31:0] run_q, run;
  logic [2:0] reset_q;
  logic [31+HeartbeatLog2:0] heartbeat_q;
  logic [32*NumPorts-1:0] stalls_q;
  logic core_rst_n, element_rst_n, clk_element, enable_clock, execute;

  logic [31:0] consumed, pace_numerator, pace_denominator, period_numerator, period_denominator;
  logic [axi_pkg::AddressWidth-1:0] to_board_base, from_board_base;
  logic [shell_pkg::ModeWidth-1:0] mode;
  logic [shell_pkg::TimeWidth-1:0] period_whole;
  logic [shell_pkg::WordClocks*shell_pkg::TimeWidth-1:0] word_whole;
  logic [shell_pkg::WordClocks*shell_pkg::FractionWidth-1:0] word_numerator, word_denominator;
  logic [23:0] coordinates, last;
  logic [15:0] mark_threshold, mark_rate;
  logic [4:0] mark_least;
  logic by_table, route_write;
  logic [9:0] route_destination;
  // A router with fewer ports has shorter numbers of inputs and entries.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [7:0] route_input, route_entry;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [NumPorts-1:0] port_enable, port_host;
  logic [2*NumPorts-1:0] word_clock;
  logic [8*NumPorts-1:0] credits;

  axi_pkg::address_t ar, aw;
  axi_pkg::write_data_t w;
  axi_pkg::read_data_t r;
  axi_pkg::write_response_t b;

  logic [NumPorts-1:0] rx_valid, rx_vc, rx_sop, rx_eop, credit_in_valid, credit_in_vc, tx_ready;
  logic [NumPorts*shell_pkg::WordWidth-1:0] rx_data, tx_data;
  logic [NumPorts*8-1:0] credit_in_count, credit_out_count;
  logic [NumPorts*3-1:0] credit_in_health, credit_out_health;
  logic [NumPorts-1:0] tx_valid, tx_vc, tx_sop, tx_eop, credit_out_valid, credit_out_vc, credit_stall, element_error;
  logic [NumPorts*WordWidth-1:0] word_in, word_out;
  logic [NumPorts*CreditWidth-1:0] credit_in, credit_out;
  logic idle, quiet, record_error, bus_error;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [NumPorts*3-1:0] neighbour_health;
  logic [shell_pkg::EdgeWidth-1:0] now;
  logic [63:0] executed;
  logic [31:0] late;
  /* verilator lint_on UNUSEDSIGNAL */

  shell_registers #(
      .NumPorts             (NumPorts),
      .SlotsLog2            (SlotsLog2),
      .Element              (8'd1),
      .RouteDestinationsLog2(RouteTableEntries == 0 ? 8'd0 : 8'($clog2(RouteTableEntries))),
      .RingOffset           (RingOffset),
      .ClockHertz           (ClockHertz),
      .RingAddress          (axi_pkg::AddressWidth'(RingAddress))
  ) i_registers (
      .clk_i,
      .rst_ni,
      .awvalid_i            (s_axi_awvalid),
      .awready_o            (s_axi_awready),
      .awaddr_i             (s_axi_awaddr),
      .wvalid_i             (s_axi_wvalid),
      .wready_o             (s_axi_wready),
      .wdata_i              (s_axi_wdata),
      .wstrb_i              (s_axi_wstrb),
      .bvalid_o             (s_axi_bvalid),
      .bready_i             (s_axi_bready),
      .bresp_o              (s_axi_bresp),
      .arvalid_i            (s_axi_arvalid),
      .arready_o            (s_axi_arready),
      .araddr_i             (s_axi_araddr),
      .rvalid_o             (s_axi_rvalid),
      .rready_i             (s_axi_rready),
      .rdata_o              (s_axi_rdata),
      .rresp_o              (s_axi_rresp),
      .run_o                (run),
      .from_board_consumed_o(consumed),
      .to_board_base_o      (to_board_base),
      .from_board_base_o    (from_board_base),
      .mode_o               (mode),
      .pace_numerator_o     (pace_numerator),
      .pace_denominator_o   (pace_denominator),
      .period_whole_o       (period_whole),
      .period_numerator_o   (period_numerator),
      .period_denominator_o (period_denominator),
      .word_whole_o         (word_whole),
      .word_numerator_o     (word_numerator),
      .word_denominator_o   (word_denominator),
      .coordinates_o        (coordinates),
      .last_o               (last),
      .mark_threshold_o     (mark_threshold),
      .mark_rate_o          (mark_rate),
      .mark_least_o         (mark_least),
      .by_table_o           (by_table),
      .port_enable_o        (port_enable),
      .port_host_o          (port_host),
      .word_clock_o         (word_clock),
      .credits_o            (credits),
      .status_run_i         (state_q == Idle || state_q == Reset ? 32'd0 : run_q),
      .state_i              (state_q == Running ? 2'd1 : state_q == Failed ? 2'd2 : 2'd0),
      .record_error_i       (record_error),
      .bus_error_i          (bus_error),
      .element_error_i      (element_error),
      .waiting_i            (credit_stall),
      .heartbeat_i          (heartbeat_q[HeartbeatLog2+:32]),
      .edge_i               (now[31:0]),
      .stalls_i             (stalls_q)
  );

  // A run begins with a reset, and ends when another one, or none, is asked for and the bus is quiet.
  assign core_rst_n = state_q != Idle && state_q != Reset;
  assign element_rst_n = state_q != Reset;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Idle;
      run_q <= '0;
      reset_q <= '0;
      heartbeat_q <= '0;
      stalls_q <= '0;
    end else begin
      heartbeat_q <= heartbeat_q + 1'b1;
      if (state_q == Drain) begin
        if (quiet) begin
          run_q <= run;
          state_q <= run == '0 ? Idle : Reset;
          reset_q <= ResetEdges;
        end
      end else if (run != run_q) begin
        state_q <= Drain;
      end else if (state_q == Reset) begin
        reset_q <= reset_q - 3'd1;
        stalls_q <= '0;
        if (reset_q == 3'd1) state_q <= Running;
      end else if (state_q == Running) begin
        if (record_error || bus_error || element_error != '0) state_q <= Failed;
        for (int p = 0; p < NumPorts; p++) begin
          if (execute && credit_stall[p]) stalls_q[32*p+:32] <= stalls_q[32*p+:32] + 32'd1;
        end
      end
    end
  end

  shell_core #(
      .NumPorts (NumPorts),
      .SlotsLog2(SlotsLog2)
  ) i_core (
      .clk_i,
      .rst_ni               (rst_ni && core_rst_n),
      .enable_i             (state_q == Running),
      .quiet_o              (quiet),
      .to_board_base_i      (to_board_base),
      .from_board_base_i    (from_board_base),
      .from_board_consumed_i(consumed),
      .mode_i               (mode),
      .pace_numerator_i     (pace_numerator),
      .pace_denominator_i   (pace_denominator),
      .period_whole_i       (period_whole),
      .period_numerator_i   (period_numerator),
      .period_denominator_i (period_denominator),
      .word_whole_i         (word_whole),
      .word_numerator_i     (word_numerator),
      .word_denominator_i   (word_denominator),
      .word_clock_i         (word_clock),
      .ar_valid_o           (m_axi_arvalid),
      .ar_ready_i           (m_axi_arready),
      .ar_o                 (ar),
      .r_valid_i            (m_axi_rvalid),
      .r_ready_o            (m_axi_rready),
      .r_i                  (r),
      .aw_valid_o           (m_axi_awvalid),
      .aw_ready_i           (m_axi_awready),
      .aw_o                 (aw),
      .w_valid_o            (m_axi_wvalid),
      .w_ready_i            (m_axi_wready),
      .w_o                  (w),
      .b_valid_i            (m_axi_bvalid),
      .b_ready_o            (m_axi_bready),
      .b_i                  (b),
      .execute_o            (execute),
      .word_valid_o         (rx_valid),
      .word_o               (word_in),
      .credit_valid_o       (credit_in_valid),
      .credit_o             (credit_in),
      .word_ready_o         (tx_ready),
      .word_valid_i         (tx_valid),
      .word_i               (word_out),
      .credit_valid_i       (credit_out_valid),
      .credit_i             (credit_out),
      .element_idle_i       (idle),
      .edge_o               (now),
      .executed_o           (executed),
      .late_o               (late),
      .route_write_o        (route_write),
      .route_destination_o  (route_destination),
      .route_input_o        (route_input),
      .route_entry_o        (route_entry),
      .record_error_o       (record_error),
      .bus_error_o          (bus_error)
  );

  assign m_axi_awid = aw.id;
  assign m_axi_awaddr = aw.address;
  assign m_axi_awlen = aw.length;
  assign m_axi_awsize = aw.size;
  assign m_axi_awburst = aw.burst;
  assign m_axi_awcache = aw.cache;
  assign m_axi_awprot = aw.prot;
  assign m_axi_wdata = w.data;
  assign m_axi_wstrb = w.strobe;
  assign m_axi_wlast = w.last;
  assign b.id = m_axi_bid;
  assign b.response = m_axi_bresp;
  assign m_axi_arid = ar.id;
  assign m_axi_araddr = ar.address;
  assign m_axi_arlen = ar.length;
  assign m_axi_arsize = ar.size;
  assign m_axi_arburst = ar.burst;
  assign m_axi_arcache = ar.cache;
  assign m_axi_arprot = ar.prot;
  assign r.id = m_axi_rid;
  assign r.data = m_axi_rdata;
  assign r.response = m_axi_rresp;
  assign r.last = m_axi_rlast;

  // The fields of word_t and credit_t, which Yosys does not know by name in a generated block.
  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    assign {rx_vc[p], rx_sop[p], rx_eop[p], rx_data[shell_pkg::WordWidth*p+:shell_pkg::WordWidth]} = word_in[WordWidth*p+:WordWidth];
    assign {credit_in_vc[p], credit_in_count[8*p+:8], credit_in_health[3*p+:3]} = credit_in[CreditWidth*p+:CreditWidth];
    assign word_out[WordWidth*p+:WordWidth] = {tx_vc[p], tx_sop[p], tx_eop[p], tx_data[shell_pkg::WordWidth*p+:shell_pkg::WordWidth]};
    assign credit_out[CreditWidth*p+:CreditWidth] = {credit_out_vc[p], credit_out_count[8*p+:8], credit_out_health[3*p+:3]};
  end

  // In reset the element needs edges, and to write its route table.
  assign enable_clock = execute || !element_rst_n || route_write;

  clock_gate i_clock (
      .clk_i,
      .clk_source_i,
      .enable_i(enable_clock),
      .clk_o   (clk_element)
  );

  exanet_router #(
      .BufferWords      (BufferWords),
      .RouteTableEntries(RouteTableEntries),
      .NumPorts         (NumPorts)
  ) i_router (
      .clk_i             (clk_element),
      .rst_ni            (element_rst_n),
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
      .rx_valid_i        (rx_valid & {NumPorts{execute}}),
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
      .tx_ready_i        (tx_ready & {NumPorts{execute}}),
      .credit_valid_i    (credit_in_valid & {NumPorts{execute}}),
      .credit_vc_i       (credit_in_vc),
      .credit_count_i    (credit_in_count),
      .credit_health_i   (credit_in_health),
      .idle_o            (idle),
      .credit_stall_o    (credit_stall),
      .error_o           (element_error),
      .neighbour_health_o(neighbour_health)
  );

endmodule

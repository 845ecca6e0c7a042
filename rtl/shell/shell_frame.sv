// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// What every element behind a shell has around it: registers at an AXI4-Lite slave, the rings in whatever memory the AXI4 master reaches, the states of a
/// run, and the clock that the shell gates. The names of the AXI signals are those that block designs expect.
module shell_frame #(
    parameter int unsigned NumPorts = 7,
    /// As in shell_core.
    parameter int unsigned DataWidth = 128,
    parameter int unsigned VcWidth = 1,
    parameter int unsigned SlotsLog2 = 8,
    /// As in shell_registers.
    parameter logic [7:0] Element = 8'd1,
    parameter logic [7:0] RouteDestinationsLog2 = 8'd0,
    parameter logic [7:0] Vcs = 8'd2,
    parameter logic [7:0] CreditWords = 8'd1,
    parameter logic [7:0] BufferCredits = 8'd64,
    parameter logic [31:0] RingOffset = 32'd0,
    parameter logic [31:0] ClockHertz = 32'd100_000_000,
    parameter int unsigned RingAddress = 0,
    localparam int unsigned CountWidth = shell_pkg::CountWidth,
    localparam int unsigned HealthWidth = shell_pkg::HealthWidth
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
    input  logic                              m_axi_rlast,

    /// The element's clock, with an edge for each that it executes, in reset, and with `route_write_o`; and its reset, synchronous to it, active low.
    output logic                              clk_element_o,
    output logic                              rst_element_no,

    // What the registers say to the element; constant in a run.
    output logic [23:0]                       coordinates_o,
    output logic [23:0]                       last_o,
    output logic [31:0]                       node_o,
    output logic [15:0]                       mark_threshold_o,
    output logic [15:0]                       mark_rate_o,
    output logic [4:0]                        mark_least_o,
    output logic                              by_table_o,
    output logic [NumPorts-1:0]               port_enable_o,
    output logic [NumPorts-1:0]               port_host_o,
    output logic [8*NumPorts-1:0]             credits_o,

    /// As in shell_core.
    output logic                              route_write_o,
    output logic [9:0]                        route_destination_o,
    output logic [7:0]                        route_input_o,
    output logic [7:0]                        route_entry_o,

    // By port, at an edge of the element: words that arrive, credits that arrive, and whether the link takes the word that is offered.
    output logic [NumPorts-1:0]               rx_valid_o,
    output logic [VcWidth*NumPorts-1:0]       rx_vc_o,
    output logic [NumPorts-1:0]               rx_sop_o,
    output logic [NumPorts-1:0]               rx_eop_o,
    output logic [DataWidth*NumPorts-1:0]     rx_data_o,
    output logic [NumPorts-1:0]               credit_valid_o,
    output logic [VcWidth*NumPorts-1:0]       credit_vc_o,
    output logic [CountWidth*NumPorts-1:0]    credit_count_o,
    output logic [HealthWidth*NumPorts-1:0]   credit_health_o,
    output logic [NumPorts-1:0]               tx_ready_o,

    // By port, from registers: words that are offered, credits that go back, packets that wait for credits alone, what is broken; and whether no edge
    // without input changes anything.
    input  logic [NumPorts-1:0]               tx_valid_i,
    input  logic [VcWidth*NumPorts-1:0]       tx_vc_i,
    input  logic [NumPorts-1:0]               tx_sop_i,
    input  logic [NumPorts-1:0]               tx_eop_i,
    input  logic [DataWidth*NumPorts-1:0]     tx_data_i,
    input  logic [NumPorts-1:0]               credit_valid_i,
    input  logic [VcWidth*NumPorts-1:0]       credit_vc_i,
    input  logic [CountWidth*NumPorts-1:0]    credit_count_i,
    input  logic [HealthWidth*NumPorts-1:0]   credit_health_i,
    input  logic [NumPorts-1:0]               credit_stall_i,
    input  logic [NumPorts-1:0]               error_i,
    input  logic                              idle_i
);

  localparam int unsigned WordWidth = VcWidth + 2 + DataWidth;
  localparam int unsigned CreditWidth = VcWidth + CountWidth + HealthWidth;
  /// Edges of the element in reset.
  localparam logic [2:0] ResetEdges = 3'd4;
  localparam int unsigned HeartbeatLog2 = 12;

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
  logic [NumPorts-1:0] error_q;
  logic core_rst_n, enable_clock, execute;

  logic [31:0] consumed, pace_numerator, pace_denominator, period_numerator, period_denominator;
  logic [axi_pkg::AddressWidth-1:0] to_board_base, from_board_base;
  logic [shell_pkg::ModeWidth-1:0] mode;
  logic [shell_pkg::TimeWidth-1:0] period_whole;
  logic [shell_pkg::WordClocks*shell_pkg::TimeWidth-1:0] word_whole;
  logic [shell_pkg::WordClocks*shell_pkg::FractionWidth-1:0] word_numerator, word_denominator;
  logic [2*NumPorts-1:0] word_clock;

  axi_pkg::address_t ar, aw;
  axi_pkg::write_data_t w;
  axi_pkg::read_data_t r;
  axi_pkg::write_response_t b;

  logic [NumPorts-1:0] rx_valid, credit_valid, tx_ready;
  logic [NumPorts*WordWidth-1:0] word_in, word_out;
  logic [NumPorts*CreditWidth-1:0] credit_in, credit_out;
  logic quiet, record_error, bus_error;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [shell_pkg::EdgeWidth-1:0] now;
  logic [63:0] executed;
  logic [31:0] late;
  /* verilator lint_on UNUSEDSIGNAL */

  shell_registers #(
      .NumPorts             (NumPorts),
      .SlotsLog2            (SlotsLog2),
      .Element              (Element),
      .RouteDestinationsLog2(RouteDestinationsLog2),
      .WordBits             (8'(DataWidth)),
      .Vcs                  (Vcs),
      .CreditWords          (CreditWords),
      .BufferCredits        (BufferCredits),
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
      .coordinates_o,
      .last_o,
      .mark_threshold_o,
      .mark_rate_o,
      .mark_least_o,
      .by_table_o,
      .node_o,
      .port_enable_o,
      .port_host_o,
      .word_clock_o         (word_clock),
      .credits_o,
      .status_run_i         (state_q == Idle || state_q == Reset ? 32'd0 : run_q),
      .state_i              (state_q == Running ? 2'd1 : state_q == Failed ? 2'd2 : 2'd0),
      .record_error_i       (record_error),
      .bus_error_i          (bus_error),
      .element_error_i      (error_q),
      .waiting_i            (credit_stall_i),
      .heartbeat_i          (heartbeat_q[HeartbeatLog2+:32]),
      .edge_i               (now[31:0]),
      .stalls_i             (stalls_q)
  );

  // A run begins with a reset, and ends when another one, or none, is asked for and the bus is quiet.
  assign core_rst_n = state_q != Idle && state_q != Reset;
  assign rst_element_no = state_q != Reset;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Idle;
      run_q <= '0;
      reset_q <= '0;
      heartbeat_q <= '0;
      stalls_q <= '0;
      error_q <= '0;
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
        error_q <= '0;
        if (reset_q == 3'd1) state_q <= Running;
      end else if (state_q == Running) begin
        // The agent looks later, when an element may not say it any more.
        error_q <= error_q | error_i;
        if (record_error || bus_error || error_q != '0) state_q <= Failed;
        for (int p = 0; p < NumPorts; p++) begin
          if (execute && credit_stall_i[p]) stalls_q[32*p+:32] <= stalls_q[32*p+:32] + 32'd1;
        end
      end
    end
  end

  shell_core #(
      .NumPorts (NumPorts),
      .SlotsLog2(SlotsLog2),
      .DataWidth(DataWidth),
      .VcWidth  (VcWidth)
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
      .credit_valid_o       (credit_valid),
      .credit_o             (credit_in),
      .word_ready_o         (tx_ready),
      .word_valid_i         (tx_valid_i),
      .word_i               (word_out),
      .credit_valid_i,
      .credit_i             (credit_out),
      .element_idle_i       (idle_i),
      .edge_o               (now),
      .executed_o           (executed),
      .late_o               (late),
      .route_write_o,
      .route_destination_o,
      .route_input_o,
      .route_entry_o,
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

  // Words and credits as shell_port_in has them.
  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    assign {rx_vc_o[VcWidth*p+:VcWidth], rx_sop_o[p], rx_eop_o[p], rx_data_o[DataWidth*p+:DataWidth]} = word_in[WordWidth*p+:WordWidth];
    assign {credit_vc_o[VcWidth*p+:VcWidth], credit_count_o[CountWidth*p+:CountWidth], credit_health_o[HealthWidth*p+:HealthWidth]} =
        credit_in[CreditWidth*p+:CreditWidth];
    assign word_out[WordWidth*p+:WordWidth] = {tx_vc_i[VcWidth*p+:VcWidth], tx_sop_i[p], tx_eop_i[p], tx_data_i[DataWidth*p+:DataWidth]};
    assign credit_out[CreditWidth*p+:CreditWidth] = {
      credit_vc_i[VcWidth*p+:VcWidth], credit_count_i[CountWidth*p+:CountWidth], credit_health_i[HealthWidth*p+:HealthWidth]
    };
  end
  assign rx_valid_o = rx_valid & {NumPorts{execute}};
  assign credit_valid_o = credit_valid & {NumPorts{execute}};
  assign tx_ready_o = tx_ready & {NumPorts{execute}};

  // In reset the element needs edges, and to write its route table.
  assign enable_clock = execute || !rst_element_no || route_write_o;

  clock_gate i_clock (
      .clk_i,
      .clk_source_i,
      .enable_i(enable_clock),
      .clk_o   (clk_element_o)
  );

endmodule

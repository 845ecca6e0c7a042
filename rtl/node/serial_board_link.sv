// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// A board link over one serial lane in each direction, instead of its 132 parallel wires: words and credits in the frames of APElink, which has CRC, credits and
/// supervision, gearboxes to blocks of 64 bits for a transceiver with 64B/66B, and the crossings between the three clocks. docs/models/exanet-node.md
module serial_board_link #(
    /// Words of the far buffer of each VC, and of the one here: 64 on a board.
    parameter int unsigned BufferWords = 64,
    /// As in apelink_tcl.
    parameter int unsigned RefreshCycles = 4096
) (
    /// The clock of the FPGA's logic.
    input  logic                               clk_i,
    /// Synchronous, active low. All three are in reset together, for at least four edges of the slowest clock.
    input  logic                               rst_ni,
    /// The clocks of the transceiver: its transmitter's, and the one that its receiver recovers.
    input  logic                               line_clk_i,
    input  logic                               line_rst_ni,
    input  logic                               far_clk_i,
    input  logic                               far_rst_ni,

    /// As a board link: words to the far FPGA, and credits from there.
    input  logic                               tx_valid_i,
    input  logic                               tx_vc_i,
    input  logic                               tx_sop_i,
    input  logic                               tx_eop_i,
    input  logic [exanet_pkg::DataWidth-1:0]   tx_data_i,
    output logic                               tx_ready_o,
    output logic                               credit_valid_o,
    output logic                               credit_vc_o,
    output logic [exanet_pkg::CreditWidth-1:0] credit_count_o,
    /// Words from there, and the credits for them.
    output logic                               rx_valid_o,
    output logic                               rx_vc_o,
    output logic                               rx_sop_o,
    output logic                               rx_eop_o,
    output logic [exanet_pkg::DataWidth-1:0]   rx_data_o,
    input  logic                               credit_valid_i,
    input  logic                               credit_vc_i,
    input  logic [exanet_pkg::CreditWidth-1:0] credit_count_i,

    /// Blocks to the transceiver at each edge of `line_clk_i`, and from it at each edge of `far_clk_i`.
    output logic                               line_idle_o,
    output logic [63:0]                        line_block_o,
    input  logic                               far_idle_i,
    input  logic [63:0]                        far_block_i,
    /// The transceiver's receiver is locked.
    input  logic                               signal_i,

    output logic                               up_o,
    /// Packets whose footer was marked, and times that the link went down; they wrap.
    output logic [apelink_pkg::EventWidth-1:0] crc_errors_o,
    output logic [apelink_pkg::EventWidth-1:0] downs_o,
    /// Sticky: the other FPGA broke the rules of credits, or the clocks are too far apart.
    output logic                               error_o
);

  localparam int unsigned CrossingDepth = 16;

  apelink_pkg::link_e link;
  logic [127:0] out_word, line_word, in_word, back_word;
  logic out_valid, out_full, line_valid, line_ready, in_valid, in_ready, in_full, back_valid, back_ready;
  logic near_idle, tcl_error, overflow, underflow, word_lost;
  logic [63:0] near_block;
  (* async_reg = "true" *)
  logic [1:0] signal_far_q;
  (* async_reg = "true" *)
  logic [2:0] trouble_q, trouble_seen_q;

  assign up_o = link == apelink_pkg::Up;
  assign error_o = tcl_error || trouble_seen_q != '0;

  /* verilator lint_off PINCONNECTEMPTY */
  apelink_tcl #(
      .BufferWords    (BufferWords),
      .MaxPayloadBytes(256),
      .RefreshCycles  (RefreshCycles)
  ) i_tcl (
      .clk_i,
      .rst_ni,
      .tred_i                 ({2{apelink_pkg::CountWidth'(BufferWords)}}),
      .supervise_i            (1'b1),
      .signal_i,
      .tx_valid_i,
      .tx_vc_i,
      .tx_sop_i,
      .tx_eop_i,
      .tx_data_i,
      .tx_ready_o,
      .credit_valid_o,
      .credit_vc_o,
      .credit_count_o,
      .credit_health_o        (),
      .rx_valid_o,
      .rx_vc_o,
      .rx_sop_o,
      .rx_eop_o,
      .rx_data_o,
      .rx_bad_o               (),
      .credit_valid_i,
      .credit_vc_i,
      .credit_count_i,
      .credit_health_i        ('0),
      .m_tdata_o              (out_word),
      .m_tvalid_o             (out_valid),
      .m_tready_i             (!out_full),
      .s_tdata_i              (back_word),
      .s_tvalid_i             (back_valid),
      .s_tready_o             (back_ready),
      .used_o                 (),
      .waiting_o              (),
      .words_sent_o           (),
      .packets_sent_o         (),
      .packets_received_o     (),
      .corrected_headers_o    (),
      .uncorrectable_headers_o(),
      .crc_errors_o,
      .dropped_packets_o      (),
      .resyncs_o              (),
      .credit_stalls_o        (),
      .credit_words_o         (),
      .link_o                 (link),
      .downs_o,
      .aborted_packets_o      (),
      .error_o                (tcl_error),
      .idle_o                 ()
  );

  async_fifo #(
      .Width(128),
      .Depth(CrossingDepth)
  ) i_out (
      .push_clk_i  (clk_i),
      .push_rst_ni (rst_ni),
      .push_i      (out_valid && !out_full),
      .data_i      (out_word),
      .full_o      (out_full),
      .push_count_o(),
      .pop_clk_i   (line_clk_i),
      .pop_rst_ni  (line_rst_ni),
      .valid_o     (line_valid),
      .data_o      (line_word),
      .pop_i       (line_valid && line_ready),
      .pop_count_o ()
  );
  apelink_gear_tx i_gear_tx (
      .clk_i     (line_clk_i),
      .rst_ni    (line_rst_ni),
      .s_tdata_i (line_word),
      .s_tvalid_i(line_valid),
      .s_tready_o(line_ready),
      .idle_o    (line_idle_o),
      .block_o   (line_block_o)
  );

  apelink_elastic i_elastic (
      .line_clk_i (far_clk_i),
      .line_rst_ni(far_rst_ni),
      .idle_i     (far_idle_i || !signal_far_q[1]),
      .block_i    (far_block_i),
      .clk_i      (line_clk_i),
      .rst_ni     (line_rst_ni),
      .idle_o     (near_idle),
      .block_o    (near_block),
      .overflow_o (overflow),
      .underflow_o(underflow)
  );
  apelink_gear_rx i_gear_rx (
      .clk_i     (line_clk_i),
      .rst_ni    (line_rst_ni),
      .idle_i    (near_idle),
      .block_i   (near_block),
      .m_tdata_o (in_word),
      .m_tvalid_o(in_valid),
      .m_tready_i(in_ready),
      .overflow_o(word_lost)
  );
  assign in_ready = !in_full;
  async_fifo #(
      .Width(128),
      .Depth(CrossingDepth)
  ) i_in (
      .push_clk_i  (line_clk_i),
      .push_rst_ni (line_rst_ni),
      .push_i      (in_valid && !in_full),
      .data_i      (in_word),
      .full_o      (in_full),
      .push_count_o(),
      .pop_clk_i   (clk_i),
      .pop_rst_ni  (rst_ni),
      .valid_o     (back_valid),
      .data_o      (back_word),
      .pop_i       (back_valid && back_ready),
      .pop_count_o ()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // Levels that hardly ever change, brought into the clocks that need them.
  always_ff @(posedge far_clk_i) signal_far_q <= far_rst_ni ? {signal_far_q[0], signal_i} : '0;
  always_ff @(posedge clk_i) begin
    trouble_q <= rst_ni ? {overflow, underflow, word_lost} : '0;
    trouble_seen_q <= rst_ni ? trouble_q : '0;
  end

endmodule



// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The shell of an element whose links carry words of at most 128 bits, with credits: its agent sends and gets records through two rings in memory, the element
/// sees words, credits and a clock that stands still until all that arrives is known. docs/models/shell.md explains it.
module shell_core #(
    parameter int unsigned NumPorts = 7,
    parameter int unsigned SlotsLog2 = 8,
    /// Bits of a link's word, at most 128, and of the number of a VC.
    parameter int unsigned DataWidth = 128,
    parameter int unsigned VcWidth = 1,
    localparam int unsigned WordWidth = VcWidth + 2 + DataWidth,
    localparam int unsigned CreditWidth = VcWidth + shell_pkg::CountWidth + shell_pkg::HealthWidth,
    localparam int unsigned WordClocks = shell_pkg::WordClocks,
    localparam int unsigned TimeWidth = shell_pkg::TimeWidth,
    localparam int unsigned FractionWidth = shell_pkg::FractionWidth
) (
    input  logic                                 clk_i,
    /// Synchronous, active low: ends a run.
    input  logic                                 rst_ni,
    /// The element has been reset and may execute edges, and the rings may be used. Take this away, and reset when `quiet_o` says that no access to
    /// them is under way.
    input  logic                                 enable_i,
    output logic                                 quiet_o,

    // What the registers say; constant while the reset is high.
    input  logic [axi_pkg::AddressWidth-1:0]     to_board_base_i,
    input  logic [axi_pkg::AddressWidth-1:0]     from_board_base_i,
    input  logic [31:0]                          from_board_consumed_i,
    input  logic [shell_pkg::ModeWidth-1:0] mode_i,
    input  logic [31:0]                          pace_numerator_i,
    input  logic [31:0]                          pace_denominator_i,
    input  logic [TimeWidth-1:0]                 period_whole_i,
    input  logic [FractionWidth-1:0]             period_numerator_i,
    input  logic [FractionWidth-1:0]             period_denominator_i,
    /// By word clock.
    input  logic [WordClocks*TimeWidth-1:0]      word_whole_i,
    input  logic [WordClocks*FractionWidth-1:0]  word_numerator_i,
    input  logic [WordClocks*FractionWidth-1:0]  word_denominator_i,
    /// By port: the number of its word clock.
    input  logic [2*NumPorts-1:0]                word_clock_i,

    // AXI4 to the memory with the rings.
    output logic                                 ar_valid_o,
    input  logic                                 ar_ready_i,
    output axi_pkg::address_t                    ar_o,
    input  logic                                 r_valid_i,
    output logic                                 r_ready_o,
    input  axi_pkg::read_data_t                  r_i,
    output logic                                 aw_valid_o,
    input  logic                                 aw_ready_i,
    output axi_pkg::address_t                    aw_o,
    output logic                                 w_valid_o,
    input  logic                                 w_ready_i,
    output axi_pkg::write_data_t                 w_o,
    input  logic                                 b_valid_i,
    output logic                                 b_ready_o,
    input  axi_pkg::write_response_t             b_i,

    /// The element executes an edge at the next edge of `clk_i`.
    output logic                                 execute_o,
    /// By port, sampled at that edge: what arrives, as in shell_port_in, and whether the link takes the word that is offered.
    output logic [NumPorts-1:0]                  word_valid_o,
    output logic [NumPorts*WordWidth-1:0]        word_o,
    output logic [NumPorts-1:0]                  credit_valid_o,
    output logic [NumPorts*CreditWidth-1:0]      credit_o,
    output logic [NumPorts-1:0]                  word_ready_o,
    /// By port, from registers: the word that is offered, and credits that came of the last edge.
    input  logic [NumPorts-1:0]                  word_valid_i,
    input  logic [NumPorts*WordWidth-1:0]        word_i,
    input  logic [NumPorts-1:0]                  credit_valid_i,
    input  logic [NumPorts*CreditWidth-1:0]      credit_i,
    /// From registers: no edge without input changes anything.
    input  logic                                 element_idle_i,

    /// For one cycle, while the element stands still: the entry of the route table is written.
    output logic                                 route_write_o,
    output logic [9:0]                           route_destination_o,
    output logic [7:0]                           route_input_o,
    output logic [7:0]                           route_entry_o,

    /// The next edge, how many were executed, and what was late; see shell_gate.
    output logic [shell_pkg::EdgeWidth-1:0]      edge_o,
    output logic [63:0]                          executed_o,
    output logic [31:0]                          late_o,
    /// Sticky: a record that is none; an error of the bus in reading or writing.
    output logic                                 record_error_o,
    output logic                                 bus_error_o
);

  localparam int unsigned TimedWordWidth = shell_pkg::StampWidth + WordWidth;
  localparam int unsigned TimedCreditWidth = shell_pkg::StampWidth + CreditWidth;
  localparam int unsigned PhaseWidth = shell_pkg::WordPhaseBits;
  /// Ticks after which a clock that does not wait says how far it has come.
  localparam int unsigned StatusTicksLog2 = 8;

`ifndef SYNTHESIS
  if (shell_pkg::WordPhaseBits != $bits(shell_pkg::word_phase_t)) begin : gen_check_bits
    $error("shell_pkg: a type has another number of bits than its constant says");
  end
`endif

  shell_pkg::record_t in_record, out_record;
  logic reader_quiet, writer_quiet, in_valid, in_ready, in_empty, in_error, out_valid, out_ready, out_error;
  logic [31:0] consumed, told_q;

  logic [NumPorts-1:0] word_push, word_full, credit_push, credit_full, port_empty, port_late, port_space;
  logic [TimedWordWidth-1:0] push_word;
  logic [TimedCreditWidth-1:0] push_credit;
  logic [NumPorts-1:0] leaving_word_valid, leaving_word_pop, leaving_credit_valid, leaving_credit_pop;
  logic [NumPorts*TimedWordWidth-1:0] leaving_word;
  logic [NumPorts*TimedCreditWidth-1:0] leaving_credit;

  logic [shell_pkg::EdgeWidth-1:0] limit, jump_edge, now;
  logic [shell_pkg::RecordWords*shell_pkg::WordWidth-1:0] jump_words;
  logic [TimeWidth-1:0] advance;
  logic [WordClocks-1:0] step, busy;
  logic [2*WordClocks-1:0] passed;
  logic record_waits, clear, jump, started, tick, idle, stopped, status, urgent, status_sent, settled;
  logic changed_q, limit_told_q, waits, reached;
  logic [StatusTicksLog2:0] ticks_q;

  shell_ring_reader #(
      .SlotsLog2(SlotsLog2)
  ) i_reader (
      .clk_i,
      .rst_ni,
      .enable_i,
      .quiet_o   (reader_quiet),
      .base_i    (to_board_base_i),
      .ar_valid_o,
      .ar_ready_i,
      .ar_o,
      .r_valid_i,
      .r_ready_o,
      .r_i,
      .valid_o   (in_valid),
      .record_o  (in_record),
      .ready_i   (in_ready),
      .consumed_o(consumed),
      .empty_o   (in_empty),
      .error_o   (in_error)
  );

  shell_dispatcher #(
      .NumPorts (NumPorts),
      .DataWidth(DataWidth),
      .VcWidth  (VcWidth)
  ) i_dispatcher (
      .clk_i,
      .rst_ni,
      .valid_i      (in_valid),
      .ready_o      (in_ready),
      .record_i     (in_record),
      .word_push_o  (word_push),
      .word_o       (push_word),
      .word_full_i  (word_full),
      .credit_push_o(credit_push),
      .credit_o     (push_credit),
      .credit_full_i(credit_full),
      .edge_i       (now),
      .waits_o      (record_waits),
      .limit_o      (limit),
      .clear_o      (clear),
      .jump_o       (jump),
      .started_o    (started),
      .jump_edge_o  (jump_edge),
      .jump_words_o (jump_words),
      .sent_i       (leaving_word_valid == '0 && leaving_credit_valid == '0),
      .idle_i       (idle),
      .route_write_o,
      .route_destination_o,
      .route_input_o,
      .route_entry_o,
      .error_o      (record_error_o)
  );

  for (genvar c = 0; c < WordClocks; c++) begin : gen_word_clock
    shell_word_clock i_clock (
        .clk_i,
        .rst_ni,
        .whole_i      (word_whole_i[TimeWidth*c+:TimeWidth]),
        .numerator_i  (word_numerator_i[FractionWidth*c+:FractionWidth]),
        .denominator_i(word_denominator_i[FractionWidth*c+:FractionWidth]),
        .clear_i      (clear),
        .load_i       (jump),
        .phase_i      (jump_words[PhaseWidth*c+:PhaseWidth]),
        .tick_i       (tick && started),
        .advance_i    (advance),
        .step_o       (step[c]),
        .busy_o       (busy[c]),
        .passed_o     (passed[2*c+:2])
    );
  end

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    logic [1:0] word_clock;
    logic leaving_step, leaving_extra, accept;
    logic [1:0] leaving_passed;
    assign word_clock = word_clock_i[2*p+:2];
    assign leaving_step = started && step[word_clock];
    assign leaving_extra = busy[word_clock];
    assign leaving_passed = passed[2*word_clock+:2];
    assign accept = execute_o && word_valid_i[p] && word_ready_o[p];

    shell_port_in #(
        .DataWidth(DataWidth),
        .VcWidth  (VcWidth)
    ) i_in (
        .clk_i,
        .rst_ni,
        .word_push_i   (word_push[p]),
        .word_i        (push_word),
        .word_full_o   (word_full[p]),
        .credit_push_i (credit_push[p]),
        .credit_i      (push_credit),
        .credit_full_o (credit_full[p]),
        .edge_i        (now[shell_pkg::StampWidth-1:0]),
        .take_i        (execute_o),
        .word_valid_o  (word_valid_o[p]),
        .word_o        (word_o[WordWidth*p+:WordWidth]),
        .credit_valid_o(credit_valid_o[p]),
        .credit_o      (credit_o[CreditWidth*p+:CreditWidth]),
        .empty_o       (port_empty[p]),
        .late_o        (port_late[p])
    );

    shell_pacer i_pacer (
        .clk_i,
        .rst_ni,
        .load_i  (jump),
        .tick_i  (tick),
        .step_i  (leaving_step),
        .extra_i (leaving_extra),
        .passed_i(leaving_passed),
        .accept_i(accept),
        .ready_o (word_ready_o[p])
    );

    shell_port_out #(
        .DataWidth(DataWidth),
        .VcWidth  (VcWidth)
    ) i_out (
        .clk_i,
        .rst_ni,
        .edge_i        (now[shell_pkg::StampWidth-1:0]),
        .word_valid_i  (accept),
        .word_i        (word_i[WordWidth*p+:WordWidth]),
        .credit_valid_i(execute_o && credit_valid_i[p]),
        .credit_i      (credit_i[CreditWidth*p+:CreditWidth]),
        .space_o       (port_space[p]),
        .word_valid_o  (leaving_word_valid[p]),
        .word_o        (leaving_word[TimedWordWidth*p+:TimedWordWidth]),
        .word_pop_i    (leaving_word_pop[p]),
        .credit_valid_o(leaving_credit_valid[p]),
        .credit_o      (leaving_credit[TimedCreditWidth*p+:TimedCreditWidth]),
        .credit_pop_i  (leaving_credit_pop[p])
    );
  end

  shell_gate i_gate (
      .clk_i,
      .rst_ni,
      .enable_i,
      .mode_i,
      .pace_numerator_i,
      .pace_denominator_i,
      .whole_i         (period_whole_i),
      .numerator_i     (period_numerator_i),
      .denominator_i   (period_denominator_i),
      .limit_i         (limit),
      .jump_i          (jump),
      .jump_edge_i     (jump_edge),
      .jump_fraction_i (jump_words[PhaseWidth*WordClocks+:FractionWidth]),
      .element_idle_i,
      .arrivals_empty_i(port_empty == '1 && !record_waits),
      .arrival_i       ((word_valid_o | credit_valid_o) != '0),
      .arrival_late_i  (port_late != '0),
      .space_i         (port_space == '1),
      .clocks_busy_i   (busy != '0),
      .edge_o          (now),
      .tick_o          (tick),
      .execute_o,
      .advance_o       (advance),
      .idle_o          (idle),
      .stopped_o       (stopped),
      .executed_o,
      .late_o
  );

  // A status tells that the element waits, once for each time; that a clock that does not wait has come to the limit, and how far it has come; and,
  // before the ring to the board can be full of records that were taken, how many were.
  assign waits = changed_q && stopped && in_empty && !in_valid;
  assign reached = mode_i == shell_pkg::Free && now >= limit && !limit_told_q;
  assign status = enable_i && (waits || reached || (mode_i != shell_pkg::Gated && ticks_q[StatusTicksLog2]));
  assign urgent = enable_i && consumed - told_q >= 32'd1 << (SlotsLog2 - 2);

  shell_collector #(
      .NumPorts (NumPorts),
      .DataWidth(DataWidth),
      .VcWidth  (VcWidth)
  ) i_collector (
      .clk_i,
      .rst_ni,
      .word_valid_i  (leaving_word_valid),
      .word_i        (leaving_word),
      .word_pop_o    (leaving_word_pop),
      .credit_valid_i(leaving_credit_valid),
      .credit_i      (leaving_credit),
      .credit_pop_o  (leaving_credit_pop),
      .hold_i        (mode_i == shell_pkg::Gated && !stopped && port_space == '1),
      .status_i      (status),
      .urgent_i      (urgent),
      .status_sent_o (status_sent),
      .settled_o     (settled),
      .idle_i        (idle),
      .edge_i        (now),
      .consumed_i    (consumed),
      .executed_i    (executed_o),
      .late_i        (late_o),
      .valid_o       (out_valid),
      .ready_i       (out_ready),
      .record_o      (out_record)
  );

  shell_ring_writer #(
      .SlotsLog2(SlotsLog2)
  ) i_writer (
      .clk_i,
      .rst_ni,
      .enable_i,
      .quiet_o    (writer_quiet),
      .base_i     (from_board_base_i),
      .consumed_i (from_board_consumed_i),
      .aw_valid_o,
      .aw_ready_i,
      .aw_o,
      .w_valid_o,
      .w_ready_i,
      .w_o,
      .b_valid_i,
      .b_ready_o,
      .b_i,
      .valid_i    (out_valid),
      .ready_o    (out_ready),
      .record_i   (out_record),
      .error_o    (out_error)
  );

  assign quiet_o = reader_quiet && writer_quiet;
  assign edge_o = now;
  assign bus_error_o = in_error || out_error;

  // The first status says that the shell is there. An urgent one that is not settled is not what the agent waits for.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      changed_q <= 1'b1;
      limit_told_q <= 1'b0;
      told_q <= '0;
      ticks_q <= '0;
    end else begin
      changed_q <= tick || (in_valid && in_ready) || (changed_q && !(status_sent && settled));
      limit_told_q <= !(in_valid && in_ready) && (limit_told_q || (status_sent && settled && now >= limit));
      if (status_sent) begin
        told_q <= consumed;
        ticks_q <= '0;
      end else if (tick && !ticks_q[StatusTicksLog2]) begin
        ticks_q <= ticks_q + 1'b1;
      end
    end
  end

endmodule

// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Parts of a shell side by side, for test benches of their own: both ends of the rings, of 8 slots each, and the gate with a word clock and a pacer.
module shell_parts_top (
    input  logic         clk_i,
    input  logic         rst_ni,

    // Ring reader.
    input  logic         reader_enable_i,
    output logic         reader_quiet_o,
    input  logic [63:0]  reader_base_i,
    output logic         reader_ar_valid_o,
    input  logic         reader_ar_ready_i,
    output logic [87:0]  reader_ar_o,
    input  logic         reader_r_valid_i,
    output logic         reader_r_ready_o,
    input  logic [127:0] reader_r_data_i,
    input  logic [1:0]   reader_r_response_i,
    input  logic         reader_r_last_i,
    output logic         reader_valid_o,
    output logic [511:0] reader_record_o,
    input  logic         reader_ready_i,
    output logic [31:0]  reader_consumed_o,
    output logic         reader_empty_o,
    output logic         reader_error_o,

    // Ring writer.
    input  logic         writer_enable_i,
    output logic         writer_quiet_o,
    input  logic [63:0]  writer_base_i,
    input  logic [31:0]  writer_consumed_i,
    output logic         writer_aw_valid_o,
    input  logic         writer_aw_ready_i,
    output logic [87:0]  writer_aw_o,
    output logic         writer_w_valid_o,
    input  logic         writer_w_ready_i,
    output logic [127:0] writer_w_data_o,
    output logic [15:0]  writer_w_strobe_o,
    output logic         writer_w_last_o,
    input  logic         writer_b_valid_i,
    output logic         writer_b_ready_o,
    input  logic [1:0]   writer_b_response_i,
    input  logic         writer_valid_i,
    output logic         writer_ready_o,
    input  logic [511:0] writer_record_i,
    output logic         writer_error_o,

    // Gate, word clock and pacer.
    input  logic         gate_enable_i,
    input  logic [1:0]   mode_i,
    input  logic [31:0]  pace_numerator_i,
    input  logic [31:0]  pace_denominator_i,
    input  logic [53:0]  period_whole_i,
    input  logic [31:0]  period_numerator_i,
    input  logic [31:0]  period_denominator_i,
    input  logic [53:0]  word_whole_i,
    input  logic [31:0]  word_numerator_i,
    input  logic [31:0]  word_denominator_i,
    input  logic [47:0]  limit_i,
    input  logic         clear_i,
    input  logic         jump_i,
    input  logic [47:0]  jump_edge_i,
    input  logic [31:0]  jump_fraction_i,
    input  logic [87:0]  jump_phase_i,
    input  logic         element_idle_i,
    input  logic         arrivals_empty_i,
    input  logic         arrival_i,
    input  logic         arrival_late_i,
    input  logic         space_i,
    input  logic         accept_i,
    output logic [47:0]  edge_o,
    output logic         tick_o,
    output logic         execute_o,
    output logic         idle_o,
    output logic         stopped_o,
    output logic [63:0]  executed_o,
    output logic [31:0]  late_o,
    output logic         busy_o,
    output logic         ready_o
);

  axi_pkg::read_data_t r;
  axi_pkg::write_data_t w;
  axi_pkg::write_response_t b;
  logic [53:0] advance;
  logic step;
  logic [1:0] passed;

  assign r = '{id: '0, data: reader_r_data_i, response: reader_r_response_i, last: reader_r_last_i};
  assign b = '{id: '0, response: writer_b_response_i};
  assign writer_w_data_o = w.data;
  assign writer_w_strobe_o = w.strobe;
  assign writer_w_last_o = w.last;

  shell_ring_reader #(
      .SlotsLog2(3)
  ) i_reader (
      .clk_i,
      .rst_ni,
      .enable_i  (reader_enable_i),
      .quiet_o   (reader_quiet_o),
      .base_i    (reader_base_i),
      .ar_valid_o(reader_ar_valid_o),
      .ar_ready_i(reader_ar_ready_i),
      .ar_o      (reader_ar_o),
      .r_valid_i (reader_r_valid_i),
      .r_ready_o (reader_r_ready_o),
      .r_i       (r),
      .valid_o   (reader_valid_o),
      .record_o  (reader_record_o),
      .ready_i   (reader_ready_i),
      .consumed_o(reader_consumed_o),
      .empty_o   (reader_empty_o),
      .error_o   (reader_error_o)
  );

  shell_ring_writer #(
      .SlotsLog2(3)
  ) i_writer (
      .clk_i,
      .rst_ni,
      .enable_i   (writer_enable_i),
      .quiet_o    (writer_quiet_o),
      .base_i     (writer_base_i),
      .consumed_i (writer_consumed_i),
      .aw_valid_o (writer_aw_valid_o),
      .aw_ready_i (writer_aw_ready_i),
      .aw_o       (writer_aw_o),
      .w_valid_o  (writer_w_valid_o),
      .w_ready_i  (writer_w_ready_i),
      .w_o        (w),
      .b_valid_i  (writer_b_valid_i),
      .b_ready_o  (writer_b_ready_o),
      .b_i        (b),
      .valid_i    (writer_valid_i),
      .ready_o    (writer_ready_o),
      .record_i   (writer_record_i),
      .error_o    (writer_error_o)
  );

  shell_gate i_gate (
      .clk_i,
      .rst_ni,
      .enable_i        (gate_enable_i),
      .mode_i,
      .pace_numerator_i,
      .pace_denominator_i,
      .whole_i         (period_whole_i),
      .numerator_i     (period_numerator_i),
      .denominator_i   (period_denominator_i),
      .limit_i,
      .jump_i,
      .jump_edge_i,
      .jump_fraction_i,
      .element_idle_i,
      .arrivals_empty_i,
      .arrival_i,
      .arrival_late_i,
      .space_i,
      .clocks_busy_i   (busy_o),
      .edge_o,
      .tick_o,
      .execute_o,
      .advance_o       (advance),
      .idle_o,
      .stopped_o,
      .executed_o,
      .late_o
  );

  shell_word_clock i_word_clock (
      .clk_i,
      .rst_ni,
      .whole_i      (word_whole_i),
      .numerator_i  (word_numerator_i),
      .denominator_i(word_denominator_i),
      .clear_i,
      .load_i       (jump_i),
      .phase_i      (jump_phase_i),
      .tick_i       (tick_o),
      .advance_i    (advance),
      .step_o       (step),
      .busy_o,
      .passed_o     (passed)
  );

  shell_pacer i_pacer (
      .clk_i,
      .rst_ni,
      .load_i  (jump_i),
      .tick_i  (tick_o),
      .step_i  (step),
      .extra_i (busy_o),
      .passed_i(passed),
      .accept_i,
      .ready_o
  );

endmodule

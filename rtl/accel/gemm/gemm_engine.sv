// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Executes one command: C += A B by tiles, with three masters of AXI: one reads A, one B, one reads and writes C.
module gemm_engine #(
    parameter int unsigned Tile = 16,
    parameter int unsigned Lanes = 4,
    /// Beats of the longest burst, 1 to 256.
    parameter int unsigned BurstBeats = 16,
    /// Bursts in flight of each master and direction; a power of two, 2 to 64.
    parameter int unsigned MaxBursts = 8
) (
    input  logic                            clk_i,
    /// Synchronous, active low.
    input  logic                            rst_ni,
    /// Begins a command, which stays until `done_o`; only without `busy_o`.
    input  logic                            start_i,
    input  gemm_pkg::matrix_t               a_i,
    input  gemm_pkg::matrix_t               b_i,
    input  gemm_pkg::matrix_t               c_i,
    input  gemm_pkg::extent_t               extent_i,
    output logic                            busy_o,
    /// For one cycle: the command has ended, and how.
    output logic                            done_o,
    output logic [gemm_pkg::ErrorWidth-1:0] error_o,
    /// In this cycle something is multiplied, or what it waits for.
    output logic                            multiply_o,
    output logic                            wait_factors_o,
    output logic                            wait_result_o,

    output logic                            a_ar_valid_o,
    input  logic                            a_ar_ready_i,
    output axi_pkg::address_t               a_ar_o,
    input  logic                            a_r_valid_i,
    output logic                            a_r_ready_o,
    input  axi_pkg::read_data_t             a_r_i,

    output logic                            b_ar_valid_o,
    input  logic                            b_ar_ready_i,
    output axi_pkg::address_t               b_ar_o,
    input  logic                            b_r_valid_i,
    output logic                            b_r_ready_o,
    input  axi_pkg::read_data_t             b_r_i,

    output logic                            c_ar_valid_o,
    input  logic                            c_ar_ready_i,
    output axi_pkg::address_t               c_ar_o,
    input  logic                            c_r_valid_i,
    output logic                            c_r_ready_o,
    input  axi_pkg::read_data_t             c_r_i,
    output logic                            c_aw_valid_o,
    input  logic                            c_aw_ready_i,
    output axi_pkg::address_t               c_aw_o,
    output logic                            c_w_valid_o,
    input  logic                            c_w_ready_i,
    output axi_pkg::write_data_t            c_w_o,
    input  logic                            c_b_valid_i,
    output logic                            c_b_ready_o,
    input  axi_pkg::write_response_t        c_b_i
);

  localparam int unsigned StepWidth = $clog2(Tile / Lanes) + $clog2(Tile * Tile / gemm_pkg::Columns);
  localparam int unsigned IndexWidth = $clog2(Tile * Tile / gemm_pkg::Columns);
  localparam int unsigned DataWidth = axi_pkg::DataWidth;

  if (gemm_pkg::Columns != axi_pkg::DataWidth / 32 || gemm_pkg::AddressWidth != axi_pkg::AddressWidth) begin : gen_check_axi
    $error("gemm_engine: gemm_pkg and axi_pkg differ");
  end
  if (BurstBeats < 1 || BurstBeats > 256) begin : gen_check_beats
    $error("gemm_engine: BurstBeats must be 1 to 256");
  end
  if (MaxBursts < 2 || MaxBursts > 64 || MaxBursts != 1 << $clog2(MaxBursts)) begin : gen_check_bursts
    $error("gemm_engine: MaxBursts must be a power of two, 2 to 64");
  end

  logic busy_q, ended_q;
  logic [gemm_pkg::ErrorWidth-1:0] error_q;
  logic abort, ended;
  logic a_write, a_buffer, a_filled, a_error, a_idle;
  logic b_write, b_buffer, b_filled, b_error, b_idle;
  logic c_write, c_buffer, c_filled, c_error, c_idle;
  logic w_read, w_begun, w_error, w_done, w_idle;
  logic [IndexWidth-1:0] a_index, b_index, c_index, c_next, w_index;
  logic [1:0] c_next_tile, w_tile, lag;
  logic [DataWidth-1:0] a_data, b_data, c_data, w_data;
  logic issue, buffer, pair_end, tile_end, finished, array_idle;
  logic [StepWidth-1:0] step;
  gemm_pkg::extent_t c_extent;

  // A tile of the result is visited once, however many pairs are added to it.
  assign c_extent = {extent_i.rows, extent_i.columns, gemm_pkg::CountWidth'(1)};
  assign abort = error_q != gemm_pkg::ErrorNone;

  /* verilator lint_off PINCONNECTEMPTY */
  gemm_tile_reader #(
      .Tile(Tile),
      .BurstBeats(BurstBeats),
      .MaxBursts(MaxBursts)
  ) i_a (
      .clk_i,
      .rst_ni,
      .start_i,
      .matrix_i    (a_i),
      .extent_i,
      .abort_i     (abort),
      .space_i     (pair_end),
      .accept_i    (1'b1),
      .next_index_o(),
      .next_tile_o (),
      .ar_valid_o  (a_ar_valid_o),
      .ar_ready_i  (a_ar_ready_i),
      .ar_o        (a_ar_o),
      .r_valid_i   (a_r_valid_i),
      .r_ready_o   (a_r_ready_o),
      .r_i         (a_r_i),
      .write_o     (a_write),
      .buffer_o    (a_buffer),
      .index_o     (a_index),
      .data_o      (a_data),
      .filled_o    (a_filled),
      .error_o     (a_error),
      .idle_o      (a_idle)
  );
  gemm_tile_reader #(
      .Tile(Tile),
      .BurstBeats(BurstBeats),
      .MaxBursts(MaxBursts)
  ) i_b (
      .clk_i,
      .rst_ni,
      .start_i,
      .matrix_i    (b_i),
      .extent_i,
      .abort_i     (abort),
      .space_i     (pair_end),
      .accept_i    (1'b1),
      .next_index_o(),
      .next_tile_o (),
      .ar_valid_o  (b_ar_valid_o),
      .ar_ready_i  (b_ar_ready_i),
      .ar_o        (b_ar_o),
      .r_valid_i   (b_r_valid_i),
      .r_ready_o   (b_r_ready_o),
      .r_i         (b_r_i),
      .write_o     (b_write),
      .buffer_o    (b_buffer),
      .index_o     (b_index),
      .data_o      (b_data),
      .filled_o    (b_filled),
      .error_o     (b_error),
      .idle_o      (b_idle)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // A tile is loaded behind the one before the last, as far as that has been taken to be written.
  assign lag = c_next_tile - w_tile;
  gemm_tile_reader #(
      .Tile(Tile),
      .BurstBeats(BurstBeats),
      .MaxBursts(MaxBursts)
  ) i_c (
      .clk_i,
      .rst_ni,
      .start_i,
      .matrix_i    (c_i),
      .extent_i    (c_extent),
      .abort_i     (abort),
      .space_i     (w_begun),
      .accept_i    (lag < 2'd2 || (lag == 2'd2 && w_index > c_next)),
      .next_index_o(c_next),
      .next_tile_o (c_next_tile),
      .ar_valid_o  (c_ar_valid_o),
      .ar_ready_i  (c_ar_ready_i),
      .ar_o        (c_ar_o),
      .r_valid_i   (c_r_valid_i),
      .r_ready_o   (c_r_ready_o),
      .r_i         (c_r_i),
      .write_o     (c_write),
      .buffer_o    (c_buffer),
      .index_o     (c_index),
      .data_o      (c_data),
      .filled_o    (c_filled),
      .error_o     (c_error),
      .idle_o      (c_idle)
  );
  gemm_tile_writer #(
      .Tile(Tile),
      .BurstBeats(BurstBeats),
      .MaxBursts(MaxBursts)
  ) i_w (
      .clk_i,
      .rst_ni,
      .start_i,
      .matrix_i  (c_i),
      .extent_i  (c_extent),
      .abort_i   (abort),
      .finished_i(finished),
      .aw_valid_o(c_aw_valid_o),
      .aw_ready_i(c_aw_ready_i),
      .aw_o      (c_aw_o),
      .w_valid_o (c_w_valid_o),
      .w_ready_i (c_w_ready_i),
      .w_o       (c_w_o),
      .b_valid_i (c_b_valid_i),
      .b_ready_o (c_b_ready_o),
      .b_i       (c_b_i),
      .read_o    (w_read),
      .index_o   (w_index),
      .tile_o    (w_tile),
      .data_i    (w_data),
      .begun_o   (w_begun),
      .error_o   (w_error),
      .done_o    (w_done),
      .idle_o    (w_idle)
  );

  gemm_sequencer #(
      .Tile(Tile),
      .Lanes(Lanes)
  ) i_sequencer (
      .clk_i,
      .rst_ni,
      .start_i,
      .depth_i       (extent_i.depth),
      .abort_i       (abort),
      .a_filled_i    (a_filled),
      .b_filled_i    (b_filled),
      .c_filled_i    (c_filled),
      .issue_o       (issue),
      .step_o        (step),
      .buffer_o      (buffer),
      .pair_end_o    (pair_end),
      .tile_end_o    (tile_end),
      .wait_factors_o,
      .wait_result_o
  );
  gemm_array #(
      .Tile(Tile),
      .Lanes(Lanes)
  ) i_array (
      .clk_i,
      .rst_ni,
      .start_i,
      .a_write_i    (a_write),
      .a_buffer_i   (a_buffer),
      .a_index_i    (a_index),
      .a_data_i     (a_data),
      .b_write_i    (b_write),
      .b_buffer_i   (b_buffer),
      .b_index_i    (b_index),
      .b_data_i     (b_data),
      .c_write_i    (c_write),
      .c_buffer_i   (c_buffer),
      .c_index_i    (c_index),
      .c_data_i     (c_data),
      .issue_i      (issue),
      .step_i       (step),
      .buffer_i     (buffer),
      .tile_end_i   (tile_end),
      .finished_o   (finished),
      .read_i       (w_read),
      .read_buffer_i(w_tile[0]),
      .read_index_i (w_index),
      .read_data_o  (w_data),
      .idle_o       (array_idle)
  );

  // After an error nothing is begun, and what is under way ends. An error is known one cycle after the answer that has it.
  assign ended = a_idle && b_idle && c_idle && w_idle && array_idle && (w_done || abort);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      ended_q <= 1'b0;
      error_q <= gemm_pkg::ErrorNone;
    end else begin
      busy_q <= start_i || (busy_q && !done_o);
      ended_q <= busy_q && ended && !done_o;
      if (start_i) error_q <= gemm_pkg::ErrorNone;
      else if (busy_q && !abort) begin
        if (a_error) error_q <= gemm_pkg::ErrorReadA;
        else if (b_error) error_q <= gemm_pkg::ErrorReadB;
        else if (c_error) error_q <= gemm_pkg::ErrorReadC;
        else if (w_error) error_q <= gemm_pkg::ErrorWriteC;
      end
    end
  end

  assign busy_o = busy_q;
  assign done_o = ended_q && ended;
  assign error_o = error_q;
  assign multiply_o = issue;

endmodule
